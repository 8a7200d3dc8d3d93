export * from '@horae/console';
