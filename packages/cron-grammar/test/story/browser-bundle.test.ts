import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the package bundles for a browser and works without any global of Node', async () => {
  const result = await build({
    stdin: {
      contents: `
        import { nextOccurrence, parseCron, describeCron, tryParseCron } from '@horae/cron-grammar';
        const e = parseCron('30 2 * * *');
        globalThis.answer = {
          next: nextOccurrence(e, Date.UTC(2024, 2, 30, 12), 'Europe/Berlin'),
          words: describeCron(e),
          refused: tryParseCron('@daily').error.details.suggestion,
        };`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    metafile: true,
    logLevel: 'silent',
  });
  const packages = Object.keys(result.metafile.inputs).filter((path) => path !== '<stdin>');
  expect(packages.every((path) => /(?:cron-grammar|clock-store)\/dist\//.test(path))).toBe(true);
  // A fresh realm has the language and nothing else: no process, no require, no timers.
  const realm = createContext({});
  runInContext(result.outputFiles[0]!.text, realm);
  expect({ ...(realm as { answer: object }).answer }).toEqual({
    next: Date.UTC(2024, 3, 1, 0, 30),
    words: 'At 02:30 every day',
    refused: '0 0 * * *',
  });
});
