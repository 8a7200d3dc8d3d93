export * from '@horae/time-ring/testing';
