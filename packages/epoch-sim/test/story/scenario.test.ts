import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatTimeline, InvalidScenario, loadScenario, renderGantt, runEpoch, runScenario } from '../../src/index.js';

const folder = new URL('../../examples/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const scenarios = readdirSync(folder).filter((file) => /\.(yaml|json)$/.test(file));

describe('the example files', () => {
  test('are there by their names', () => {
    const models = ['bank-renege.yaml', 'carwash.yaml', 'ft06.json', 'la01.json', 'latency.yaml', 'machine-shop.yaml'];
    const theory = ['mg-1.yaml', 'mm-c.yaml'];
    const stories = ['night-shift.yaml', 'relay.json', 'storm-at-the-harbour.yaml'];
    expect(scenarios).toEqual([...models, ...theory, ...stories]);
  });

  test.each(scenarios)('%s runs, reads well and draws', (file) => {
    const scenario = loadScenario(read(file));
    const results = runScenario(scenario);
    expect(results).toHaveLength(scenario.epochs ?? 1);
    const text = results.map(formatTimeline).join('');
    expect(text).toContain('start');
    expect(text).not.toMatch(/undefined|NaN|\[object/);
    expect(renderGantt(results[0]!, { title: scenario.title })).toContain('</svg>');
  });

  test('the committed chart of the harbour is what the file gives', () => {
    const [result] = runScenario(loadScenario(read('storm-at-the-harbour.yaml')));
    expect(renderGantt(result!, { title: 'Storm at the harbour' })).toBe(read('storm-at-the-harbour.svg'));
  });
});

const good = `epoch: { index: 0, start_at: 2025-07-01T08:00:00, end_at: 2025-07-01T09:00:00 }
action_defs:
  walk: { base_duration_min: 5 }
actions_submitted:
  - { id: A, actor: Ann, verb: walk, submitted_at: 2025-07-01T08:00:00 }
`;

describe('loadScenario', () => {
  test('reads YAML, JSON and values alike; the scenario is an input', () => {
    const fromYaml = loadScenario(good);
    expect(loadScenario(JSON.stringify(fromYaml))).toEqual(fromYaml);
    expect(loadScenario(fromYaml)).toEqual(fromYaml);
    expect(runEpoch(fromYaml).schedule_events).toHaveLength(2);
  });

  test.each([
    {
      story: 'a wrong value',
      from: 'base_duration_min: 5',
      to: 'base_duration_min: 0',
      path: 'action_defs.walk.base_duration_min',
      line: 3,
      expected: /1/,
    },
    {
      story: 'a wrong type',
      from: 'base_duration_min: 5',
      to: 'base_duration_min: long',
      path: 'action_defs.walk.base_duration_min',
      line: 3,
      expected: /whole number/,
    },
    {
      story: 'a wrong word',
      from: '5 }',
      to: '5, effort: extreme }',
      path: 'action_defs.walk.effort',
      line: 3,
      expected: /low, medium, high/,
    },
    {
      story: 'a misspelt field',
      from: '5 }',
      to: '5, lock: [a] }',
      path: 'action_defs.walk.lock',
      line: 3,
      expected: /no such field/,
    },
    {
      story: 'a missing field',
      from: 'verb: walk, ',
      to: '',
      path: 'actions_submitted[0].verb',
      line: 5,
      expected: /text/,
    },
    {
      story: 'a bad time',
      from: 'submitted_at: 2025-07-01T08:00:00',
      to: 'submitted_at: 2025-07-01 08:00',
      path: 'actions_submitted[0].submitted_at',
      line: 5,
      expected: /ISO 8601/,
    },
    {
      story: 'a missing part',
      from: /actions_submitted:[\s\S]*/,
      to: '',
      path: 'actions_submitted',
      line: 1,
      expected: /list of actions/,
    },
    { story: 'broken YAML', from: 'action_defs:', to: 'action_defs: [', path: '', line: 3, expected: /well-formed/ },
  ])('$story is named with path, line and what belongs there', ({ from, to, path, line, expected }) => {
    const error = thrownBy(() => loadScenario(good.replace(from, to)));
    expect(error).toBeInstanceOf(InvalidScenario);
    expect(error.details).toMatchObject({ path });
    expect(error.details.line === line || path === '').toBe(true);
    expect(error.details.line).toBeGreaterThan(0);
    expect(error.details.expected).toMatch(expected);
    expect(error.message).toContain(`line ${error.details.line}`);
  });

  test('all faults are listed', () => {
    const error = thrownBy(() => loadScenario(good.replace('index: 0', 'index: -1').replace('min: 5', 'min: x')));
    expect(error.details.faults.map(({ path }) => path)).toEqual(['epoch.index', 'action_defs.walk.base_duration_min']);
  });

  test.each(['', 'null', '7', '[]', '"text"'])('%j is no scenario', (text) => {
    expect(() => loadScenario(text)).toThrow(InvalidScenario);
  });

  test('a bomb of aliases is refused', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(',')}]`,
    );
    expect(() => loadScenario(`l0: &l0 [x]\n${levels.join('\n')}\n`)).toThrow(InvalidScenario);
  });
});

function thrownBy(run: () => unknown): InvalidScenario {
  try {
    run();
  } catch (error) {
    return error as InvalidScenario;
  }
  throw new Error('nothing was thrown');
}
