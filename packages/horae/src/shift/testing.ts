export * from '@horae/midgard-shift/testing';
