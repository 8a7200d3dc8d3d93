import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A finding of a check; a warning is printed, an error fails the gate. */
export interface Finding {
  severity: 'error' | 'warning';
  file: string;
  line?: number;
  message: string;
}

export interface SourceFile {
  /** From the package's folder: `src/index.ts`. */
  path: string;
  text: string;
}

export interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, unknown>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

export interface WorkspacePackage {
  /** From the root: `packages/clock-store`. */
  folder: string;
  manifest: Manifest;
  /** The TypeScript under `src`, tests included. */
  sources: SourceFile[];
  /** Every file of the package but those under node_modules and dist. */
  files: string[];
}

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const skipped = new Set(['node_modules', 'dist', '.turbo', 'coverage', '.readme-examples', 'bench-results', '.git']);

/** Reads every package of `packages/` and `apps/` from disk. */
export function readPackages(from = root): WorkspacePackage[] {
  return ['packages', 'apps']
    .filter((group) => existsSync(join(from, group)))
    .flatMap((group) =>
      readdirSync(join(from, group))
        .sort()
        .map((name) => join(group, name)),
    )
    .filter((folder) => existsSync(join(from, folder, 'package.json')))
    .map((folder) => {
      const files = listFiles(join(from, folder));
      const sources = files
        .filter((path) => path.startsWith('src/') && /\.tsx?$/.test(path))
        .map((path) => ({ path, text: readFileSync(join(from, folder, path), 'utf8') }));
      return { folder, manifest: JSON.parse(readFileSync(join(from, folder, 'package.json'), 'utf8')), sources, files };
    });
}

/** Every file below `folder`, as sorted relative paths, without the files of installs and builds. */
export function listFiles(folder: string): string[] {
  const found: string[] = [];
  const walk = (current: string) => {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const path = join(current, entry.name);
      if (entry.isDirectory()) walk(path);
      else found.push(relative(folder, path));
    }
  };
  walk(folder);
  return found.sort();
}

export function isTest(path: string): boolean {
  return /\.(test|test-d|bench)\.tsx?$/.test(path);
}

export function error(file: string, message: string, line?: number): Finding {
  return { severity: 'error', file, message, ...(line === undefined ? {} : { line }) };
}

/** One line per finding, for a failing test's message. */
export function render(findings: readonly Finding[]): string[] {
  return findings.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`);
}
