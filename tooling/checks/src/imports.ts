import { join, normalize } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './workspace.js';

export interface ImportedModule {
  specifier: string;
  line: number;
}

/** Everything a file imports or re-exports: values, types and dynamic imports. */
export function importsOf(file: SourceFile): ImportedModule[] {
  return ts.preProcessFile(file.text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: file.text.slice(0, pos).split('\n').length,
  }));
}

/** The source path that a relative specifier means: `./zone.js` of `src/index.ts` is `src/zone.ts`. */
export function resolveRelative(from: string, specifier: string): string {
  return normalize(join(from, '..', specifier))
    .replace(/\.js$/, '.ts')
    .replace(/\.jsx$/, '.tsx');
}
