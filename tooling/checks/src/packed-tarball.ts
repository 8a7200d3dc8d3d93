import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { error, type Finding } from './workspace.js';

/** Packs the package into `scratch` and returns the tarball's path. */
export function pack(packageFolder: string, scratch: string): string {
  execFileSync('pnpm', ['pack', '--pack-destination', scratch], {
    cwd: packageFolder,
    stdio: 'pipe',
    shell: process.platform === 'win32',
  });
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`pnpm pack left no tarball of ${packageFolder}`);
  return join(scratch, tarball);
}

/** The findings of publint and "are the types wrong" on a tarball, for every kind of resolution: `node10`, `node16` both ways, bundlers. */
export async function tarballFindings(tarball: string): Promise<Finding[]> {
  const data = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
    strict: true,
  });
  const findings = messages.map((message) => error(tarballName(tarball), formatMessage(message, pkg) ?? message.code));
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
  if (analysis.types === false) return [...findings, error(tarballName(tarball), 'has no types')];
  return [
    ...findings,
    ...analysis.problems.map((problem) => error(tarballName(tarball), `types: ${JSON.stringify(problem)}`)),
  ];
}

function tarballName(tarball: string): string {
  return tarball.split(/[\\/]/).at(-1)!;
}
