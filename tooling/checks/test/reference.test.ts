import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  entryPoints,
  optionsWithoutSentence,
  optionTables,
  readSources,
  renderOptions,
  withoutSentence,
} from '@horae-tooling/reference';
import { expect, onTestFinished, test } from 'vitest';

test('every public name of every package has a sentence', async () => {
  const { project } = await readSources();
  expect(withoutSentence(project)).toEqual([]);
});

test('a public name without a sentence is found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'index.ts');
  const tsconfig = join(folder, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: ['index.ts'] }));
  writeFileSync(file, '/** Has one. */\nexport const a = 1;\nexport function b() {}\n/** */\nexport interface C {}\n');
  const { project } = await readSources(new Map([['x', file]]), { tsconfig });
  expect(withoutSentence(project).map((name) => name.split(': ')[1])).toEqual(['C', 'b']);
});

test('every option of every factory has a sentence', () => {
  const tables = optionTables(entryPoints());
  expect(tables.flatMap(({ options }) => options).length).toBeGreaterThan(300);
  expect(optionsWithoutSentence(tables)).toEqual([]);
});

test('an option without a sentence is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'index.ts');
  const inherited = `
    interface A {
      /** Has one. */
      a: 1;
      b?: 2;
    }
    interface B extends A {
      /** Has one. */
      c: 3;
      d: 4;
    }
  `;
  writeFileSync(file, `${inherited}/** Has one. */\nexport function create(options: B) {}\n`);
  expect(optionsWithoutSentence(optionTables(new Map([['x', file]])))).toEqual(['x: create: d', 'x: create: b']);
});

test('the options of factories are read from their types, inherited ones included', () => {
  const tables = optionTables(new Map([...entryPoints()].filter(([address]) => address === '@horae/time-ring')));
  const optionsOf = (name: string) => tables.find((table) => table.name === name)!.options;
  expect(optionsOf('startTimeRing')).toContainEqual({
    name: 'misfireMs',
    type: 'number',
    isRequired: false,
    about: 'An occurrence found later than this is a misfire: 5,000.',
  });
  // `createExecutor` takes those of a remote executor too, all but one.
  expect(optionsOf('createExecutor').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['ring', 'handlers', 'concurrency', 'beatMs', 'logDir']),
  );
  expect(renderOptions(tables)).toContain(
    '| `misfireMs` | `number` | An occurrence found later than this is a misfire: 5,000. |',
  );
});
