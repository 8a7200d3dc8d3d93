export * from '@horae/epoch-sim/annotation';
