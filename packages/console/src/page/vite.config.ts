import { defineConfig } from 'vite';

/** Everything is served from the machine itself: no inlined assets, so that the content policy can stay strict. */
export default defineConfig({
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
