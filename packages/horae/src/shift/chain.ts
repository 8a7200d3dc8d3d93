export * from '@horae/midgard-shift/chain';
