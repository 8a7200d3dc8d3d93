export * from '@horae/cron-grammar';
