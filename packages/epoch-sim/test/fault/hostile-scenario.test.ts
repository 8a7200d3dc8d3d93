import { describe, expect, test } from 'vitest';
import { InvalidScenario, loadScenario } from '../../src/index.js';

const LIMIT = { timeout: 20_000 };
const epoch = 'epoch: { index: 0, start_at: 2025-07-01T08:00:00, end_at: 2025-07-01T09:00:00 }';

function faultOf(text: unknown) {
  try {
    loadScenario(text);
  } catch (error) {
    if (error instanceof InvalidScenario) return error.details;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('nesting', () => {
  test.each([
    ['flow lists', (n: number) => '['.repeat(n)],
    ['closed flow lists, which are JSON', (n: number) => '['.repeat(n) + ']'.repeat(n)],
    ['flow maps', (n: number) => '{a: '.repeat(n)],
    ['compact block lists', (n: number) => '- '.repeat(n)],
    ['explicit keys', (n: number) => '? '.repeat(n)],
  ])('of %s may be 64 levels; 1,500 and 100,000 are refused again and again', LIMIT, (_story, nested) => {
    for (let i = 0; i < 20; i++) expect(faultOf(nested(1_500)).expected).toMatch(/64 levels/);
    expect(faultOf(nested(100_000)).expected).toMatch(/64 levels/);
    expect(faultOf(nested(60)).expected).not.toMatch(/64 levels/);
  });

  test('is counted exactly, in both languages and in values', () => {
    const lists = (n: number) => '['.repeat(n) + ']'.repeat(n);
    for (const shape of [(n: number) => lists(n), (n: number) => `# yaml\n${lists(n)}`]) {
      expect(faultOf(shape(64)).expected).not.toMatch(/levels/);
      expect(faultOf(shape(65)).expected).toMatch(/64 levels/);
    }
    expect(faultOf(JSON.parse(lists(64))).expected).not.toMatch(/levels/);
    expect(faultOf(JSON.parse(lists(66))).expected).toMatch(/levels/);
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(faultOf(cyclic).expected).toMatch(/levels/);
  });
});

describe('size', () => {
  test('is at most 16 MiB of text', () => {
    expect(faultOf(`# ${'x'.repeat(16 * 1024 * 1024)}`).expected).toMatch(/16 MiB/);
    expect(faultOf('é'.repeat(9 * 1024 * 1024)).expected).toMatch(/16 MiB/);
  });

  test.each([
    ['block map', (pairs: string[]) => `${epoch}\n${pairs.join('\n')}`],
    ['flow map', (pairs: string[]) => `{ ${pairs.join(', ')} }`],
    ['JSON map', (pairs: string[]) => `{ ${pairs.map((pair) => pair.replace(/(.*):/, '"$1":')).join(', ')} }`],
  ])('a %s of 600 kB is read in a time that grows with its size only', LIMIT, (_story, write) => {
    const pairs = Array.from({ length: 45_000 }, (_, i) => `key${i}: ${i}`);
    expect(faultOf(write(pairs)).faults.length).toBe(1_000);
  });

  test('YAML of more than two million tokens is refused, the same as JSON is read', LIMIT, () => {
    expect(faultOf('- a\n'.repeat(700_000)).expected).toMatch(/tokens.*JSON/);
    expect(faultOf(JSON.stringify(Array(700_000).fill('a'))).expected).toBe('a map');
  });

  test(
    'of thousands of faults the first thousand are listed, each with its place, and the others counted',
    LIMIT,
    () => {
      const defs = Array.from({ length: 5_000 }, (_, i) => `  v${i}: { base_duration_min: 0 }`);
      const text = `${epoch}\nactions_submitted: []\naction_defs:\n${defs.join('\n')}\n`;
      const { faults } = faultOf(text);
      expect(faults).toHaveLength(1_000);
      expect(faults[999]).toMatchObject({
        path: 'action_defs.v999.base_duration_min',
        line: 1_003,
        column: 30,
      });
      expect(() => loadScenario(text)).toThrow(/and 4999 more/);
    },
  );
});

describe('a duplicate key is refused at the place of the second one', () => {
  test.each([
    ['YAML', `${epoch}\naction_defs:\n  walk: { base_duration_min: 5 }\n  walk: { base_duration_min: 6 }\n`, 4, 3],
    ['a YAML list', `${epoch}\nallies: [{ a: 1, "a": 2 }]\n`, 2, 18],
    ['JSON', '{\n  "epoch": {},\n  "title": "x", "title": "y"\n}', 3, 17],
    ['JSON with escapes', '{ "title": "\\"", "ti\\u0074le": "y" }', 1, 18],
  ])('%s', (_story, text, line, column) => {
    expect(faultOf(text)).toMatchObject({ expected: 'each key once', line, column });
  });

  test('with its path', () => {
    expect(faultOf('{"action_defs": [{}, {"a": 1, "a": 2}]}').path).toBe('action_defs[1].a');
    expect(faultOf('action_defs:\n  - {}\n  - { a: 1, a: 2 }\n').path).toBe('action_defs[1].a');
  });
});

test('line and column are those of the value, in YAML and in JSON', () => {
  const yaml = `${epoch}\nactions_submitted: []\naction_defs:\n  walk: { base_duration_min: 5, effort: extreme }\n`;
  expect(faultOf(yaml)).toMatchObject({ path: 'action_defs.walk.effort', line: 4, column: 41 });
  const json = '{\n"epoch": 5,\n "action_defs": { "a": 7 }, "actions_submitted": []}';
  expect(faultOf(json).faults).toMatchObject([
    { path: 'epoch', line: 2, column: 10 },
    { path: 'action_defs.a', line: 3, column: 24 },
  ]);
  expect(faultOf({ epoch: 5 })).toMatchObject({ line: null, column: null });
});

test('the words of the schema library reach nobody', () => {
  const wrong = ['x', -1, 1.5, Number.NaN, true, null, [], {}, [{}], { a: 1 }];
  const fields = ['index', 'start_at', 'epochs', 'effort', 'locks', 'resources', 'noise', 'slots', 'from', 'percent'];
  for (const value of wrong) {
    const filled = Object.fromEntries(fields.map((field) => [field, value]));
    const input = {
      epoch: filled,
      epochs: value,
      action_defs: { a: filled, b: value },
      actions_submitted: [filled, value],
      skills: { a: value },
      resources: { a: value },
      modifiers: [filled, value],
      interrupts: [filled, value],
      allies: value,
      options: { ...filled, noise: filled },
    };
    for (const { expected } of faultOf(input).faults) expect(expected).not.toMatch(/Invalid|expected|Too |Unrec/);
  }
});
