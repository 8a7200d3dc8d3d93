export * from '@horae/epoch-sim';
