import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printedAsPromised, type ReadmeExample } from './readme-examples.js';
import { root } from './workspace.js';

interface Surroundings {
  /** The package it is written for: there it finds that package by name, and its dependencies. */
  home: string;
  /** The page it is from, as a part of a file's name. */
  name: string;
  env?: Readonly<Record<string, string>>;
}

/** Runs a program and what continues it in one folder, which is removed; resolves with the first broken promise, or null. */
export async function runProgram(
  program: readonly ReadmeExample[],
  surroundings: Surroundings,
): Promise<string | null> {
  const scratch = mkdtempSync(join(tmpdir(), 'horae-readme-'));
  // A reader runs it beside the package's examples; files that it writes must not stay there.
  const examples = join(root, surroundings.home, 'examples');
  if (existsSync(examples)) symlinkSync(examples, join(scratch, 'examples'));
  try {
    for (const example of program) {
      const broken = await runExample(example, scratch, surroundings);
      if (broken !== null) return `line ${example.line}: ${broken}`;
    }
    return null;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs an example as its reader would, in the folder `cwd`. */
async function runExample(
  example: ReadmeExample,
  cwd: string,
  { home, name, env = {} }: Surroundings,
): Promise<string | null> {
  // Inside the package, in a folder that git ignores.
  const folder = join(root, home, '.readme-examples');
  const file = join(folder, `${name}-line-${example.line}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, example.code);
  try {
    const tsx = import.meta.resolve('tsx');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, file], {
      cwd,
      timeout: 60_000,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    return printedAsPromised(example, stdout);
  } finally {
    rmSync(file, { force: true });
  }
}
