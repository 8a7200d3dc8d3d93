export * from '@horae/midgard-shift';
