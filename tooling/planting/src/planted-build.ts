import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** A planted fault: one piece of one source file, and its replacement. */
export interface PlantedFault {
  readonly file: string;
  readonly code: string;
  readonly instead: string;
}

/**
 * Builds a module from a package's sources with one piece replaced, and loads it. `entry` is the text of a module that stands in the folder
 * `source`. Throws when the piece is not in the file exactly once, so that a fault moves along with the code it is planted in.
 */
export async function plantedBuild<Module>(
  source: string,
  entry: string,
  { file, code, instead }: PlantedFault,
): Promise<Module> {
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
    stdin: { contents: entry, resolveDir: source, loader: 'ts' },
    plugins: [plant],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  if (found !== 1) throw new Error(`${file} has "${code}" ${found} times; plant the fault where the code is now`);
  const text = Buffer.from(built.outputFiles[0]!.contents).toString('base64');
  return (await import(/* @vite-ignore */ `data:text/javascript;base64,${text}`)) as Module;
}
