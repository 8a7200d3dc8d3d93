import { defineConfig } from 'tsup';

/** The server: one file to start, one for a second node of the ring. The page is built by vite into `dist/page`. */
export default defineConfig({
  entry: { server: 'src/server/main.ts', 'ring-helper': 'src/server/ring/helper-process.ts' },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  splitting: true,
  clean: true,
  treeshake: true,
});
