import { expect, test } from 'vitest';
import { checkName, type Migration, missingMigrations } from './migration.js';

const steps = (...names: string[]): Migration[] => names.map((name) => ({ name, up: async () => {} }));
const missing = (applied: string[], known: string[]) =>
  missingMigrations('sqlite:x', 'pack', applied, steps(...known)).map((migration) => migration.name);

test.each([
  { story: 'everything in a new database', applied: [], known: ['a', 'b'], result: ['a', 'b'] },
  { story: 'what was added since', applied: ['a'], known: ['a', 'b', 'c'], result: ['b', 'c'] },
  { story: 'nothing when all is there', applied: ['a', 'b'], known: ['a', 'b'], result: [] },
  { story: 'nothing of nothing', applied: [], known: [], result: [] },
])('$story is missing', ({ applied, known, result }) => {
  expect(missing(applied, known)).toEqual(result);
});

test.each([
  { story: 'a step from the future', applied: ['a', 'z'], known: ['a'], code: 'newer-schema' },
  { story: 'a renamed step', applied: ['a', 'b'], known: ['a', 'c'], code: 'newer-schema' },
  { story: 'a changed order', applied: ['a', 'b'], known: ['b', 'a'], code: 'migration-mismatch' },
  { story: 'a step put in between', applied: ['a', 'b'], known: ['a', 'x', 'b'], code: 'migration-mismatch' },
])('$story is refused as $code', ({ applied, known, code }) => {
  expect(() => missing(applied, known)).toThrow(expect.objectContaining({ code }));
});

test.each(['a', 'time-ring', '0001_x', '@horae/time-ring', 'a.b:c', 'x'.repeat(190)])('%s is a name', (name) => {
  expect(() => checkName('name', name)).not.toThrow();
});

test.each(['', ' ', 'a b', 'ä', "a'b", 'x'.repeat(191), 5 as never])('%j is no name', (name) => {
  expect(() => checkName('name', name)).toThrow(expect.objectContaining({ code: 'bad-storage-input' }));
});
