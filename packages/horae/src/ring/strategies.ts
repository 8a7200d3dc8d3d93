export * from '@horae/time-ring/strategies';
