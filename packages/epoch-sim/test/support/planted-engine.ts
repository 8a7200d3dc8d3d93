import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type * as engine from '../../src/index.js';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = `
  export { runEpoch } from './run-epoch.js';
  export { simulateColumns } from './simulate-columns.js';
  export { createSimulation, restoreSimulation } from './simulation.js';
`;

/** What the property tests ask of an engine. */
export type Engine = Pick<typeof engine, 'runEpoch' | 'simulateColumns' | 'createSimulation' | 'restoreSimulation'>;

/** The properties by which a fault can be found: against the minute model, the closed form, a split, a snapshot. */
export type PropertyName = 'model' | 'columns' | 'split' | 'restored';

/** A mistake: one piece of one source file, what stands there instead, and the property that finds it. */
export interface Fault {
  story: string;
  file: string;
  code: string;
  instead: string;
  by: PropertyName;
}

/** The engine built from its sources with one piece replaced. Throws when the piece is not in the file exactly once. */
export async function plantedEngine({
  file,
  code,
  instead,
}: Pick<Fault, 'file' | 'code' | 'instead'>): Promise<Engine> {
  let found = -1;
  const plant: Plugin = {
    name: 'plant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (basename(path) !== file) return undefined;
        const pieces = (await readFile(path, 'utf8')).split(code);
        found = pieces.length - 1;
        return { contents: pieces.join(instead), loader: 'ts' };
      });
    },
  };
  const built = await build({
    stdin: { contents: ENTRY, resolveDir: SOURCE, loader: 'ts' },
    plugins: [plant],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  if (found !== 1) throw new Error(`${file} has "${code}" ${found} times; plant the fault where the code is now`);
  const text = Buffer.from(built.outputFiles[0]!.contents).toString('base64');
  return (await import(/* @vite-ignore */ `data:text/javascript;base64,${text}`)) as Engine;
}
