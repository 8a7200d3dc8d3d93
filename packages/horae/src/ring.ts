export * from '@horae/time-ring';
