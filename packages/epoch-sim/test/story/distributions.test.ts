import { expect, test } from 'vitest';
import {
  type EpochInput,
  InvalidDuration,
  InvalidEpoch,
  InvalidScenario,
  loadScenario,
  replicate,
  runEpoch,
  sweep,
} from '../../src/index.js';

const GOOD: Record<string, Record<string, unknown>> = {
  fixed: { value: 5 },
  uniform: { min: 1, max: 9 },
  exponential: { mean: 5 },
  normal: { mean: 5, sd: 1 },
  lognormal: { mu: 1, sigma: 0.5 },
  triangular: { min: 1, mode: 2, max: 9 },
  gamma: { shape: 2, scale: 3 },
  weibull: { shape: 2, scale: 3 },
  empirical: { values: [1, 2], weights: [1, 3] },
};
/** Parameters that no law allows below zero. */
const NOT_NEGATIVE = ['mean of exponential', 'sd of normal', 'sigma of lognormal'].concat(
  ['gamma', 'weibull'].flatMap((kind) => [`shape of ${kind}`, `scale of ${kind}`]),
);

interface Row {
  story: string;
  law: Record<string, unknown>;
  field: string;
}

const rows: Row[] = Object.entries(GOOD).flatMap(([kind, fields]) => [
  { story: `${kind} with a field it does not have`, law: { kind, ...fields, average: 3 }, field: 'average' },
  ...Object.keys(fields).flatMap((field) => {
    const bad = (value: unknown) => ({ kind, ...fields, [field]: value });
    const { [field]: _, ...without } = fields;
    const isOptional = field === 'weights';
    return [
      ...(isOptional ? [] : [{ story: `${kind} without ${field}`, law: { kind, ...without }, field }]),
      ...[Number.NaN, Number.POSITIVE_INFINITY, '5', null, [], [Number.NaN, 1]].map((value) => ({
        story: `${field} of ${kind} is ${typeof value === 'number' ? value : JSON.stringify(value)}`,
        law: bad(value),
        field,
      })),
      ...(NOT_NEGATIVE.includes(`${field} of ${kind}`)
        ? [{ story: `${field} of ${kind} is below zero`, law: bad(-1), field }]
        : []),
    ];
  }),
]);
rows.push(
  { story: 'lognormal by its mean', law: { kind: 'lognormal', mean: 5, sd: 1 }, field: 'mean' },
  { story: 'an unknown kind', law: { kind: 'poisson', mean: 5 }, field: 'kind' },
  { story: 'no kind', law: { mean: 5 }, field: 'kind' },
  { story: 'a kind that every object inherits', law: { kind: 'toString' }, field: 'kind' },
  { story: 'uniform upside down', law: { kind: 'uniform', min: 9, max: 1 }, field: 'max' },
  { story: 'triangular out of order', law: { kind: 'triangular', min: 1, mode: 10, max: 9 }, field: 'mode' },
  { story: 'a negative weight', law: { kind: 'empirical', values: [1, 2], weights: [1, -1] }, field: 'weights' },
  { story: 'a weight too many', law: { kind: 'empirical', values: [1, 2], weights: [1, 1, 1] }, field: 'weights' },
  { story: 'only weights of zero', law: { kind: 'empirical', values: [1, 2], weights: [0, 0] }, field: 'weights' },
  { story: 'exponential with a mean of zero', law: { kind: 'exponential', mean: 0 }, field: 'mean' },
);

const EPOCH = { index: 0, start_at: '2026-01-01T00:00:00Z', end_at: '2026-01-01T08:00:00Z' };
const ACTION = { id: 'a', actor: 'x', verb: 'load', submitted_at: 0 };
const inputWith = (more: object): EpochInput =>
  ({ epoch: EPOCH, action_defs: { load: { base_duration_min: 5 } }, actions_submitted: [ACTION], ...more }) as never;

/** Where a distribution may stand. */
const places: { path: string; input: (law: unknown) => EpochInput; isDuration: boolean }[] = [
  {
    path: 'action_defs.load.base_duration_min',
    input: (law) => inputWith({ action_defs: { load: { base_duration_min: law } } }),
    isDuration: true,
  },
  {
    path: 'actions_submitted[0].duration_min',
    input: (law) => inputWith({ actions_submitted: [{ ...ACTION, duration_min: law }] }),
    isDuration: true,
  },
  {
    path: 'arrivals[0].every',
    input: (law) => inputWith({ arrivals: [{ verb: 'load', id: 's-{n}', every: law, count: 3 }] }),
    isDuration: false,
  },
  {
    path: 'outages[0].every',
    input: (law) => inputWith({ outages: [{ lock: 'crane', every: law, repair: 5 }] }),
    isDuration: false,
  },
  {
    path: 'outages[0].repair',
    input: (law) => inputWith({ outages: [{ lock: 'crane', at: 5, repair: law }] }),
    isDuration: false,
  },
];

function thrownBy(action: () => unknown): { details: Record<string, unknown>; message: string } {
  try {
    action();
  } catch (error) {
    return error as never;
  }
  throw new Error('nothing was thrown');
}

test.each(rows)('$story is refused when a scenario is loaded, with its path', ({ law, field }) => {
  for (const { path, input } of places) {
    const error = thrownBy(() => loadScenario(input(law)));
    expect(error).toBeInstanceOf(InvalidScenario);
    expect(error.details.path).toBe(`${path}.${field}`);
    expect(error.message).toMatch(/expected .+, got .+/);
  }
});

test.each(rows)('$story ends a replication before it begins, and is no empty one', async ({ law, field }) => {
  for (const { path, input, isDuration } of places) {
    const error = await replicate(input(law), { runs: 2 }).catch((caught: unknown) => caught as InvalidEpoch);
    expect(error).toBeInstanceOf(isDuration ? InvalidDuration : InvalidEpoch);
    const { details, message } = error as InvalidEpoch;
    expect(details.field).toBe(`${path}.${field}`);
    expect(details.value).toEqual(law[field]);
    expect(message).toContain('; give ');
  }
});

test.each(Object.entries(GOOD))('a right %s distribution is drawn from everywhere', async (kind, fields) => {
  const law = { kind, ...fields };
  for (const { input } of places) {
    expect(loadScenario(input(law))).toEqual(input(law));
    const { summaries } = await replicate(input(law), { runs: 2 });
    expect(summaries[0]!.verbs.load!.started).toBeGreaterThan(0);
  }
});

test('a single epoch gives a wrong duration as a rejection that names the field and the remedy', () => {
  const { rejections } = runEpoch(places[0]!.input({ kind: 'lognormal', mean: 5 }));
  expect(rejections).toMatchObject([{ id: 'a', code: 'InvalidDuration' }]);
  expect(rejections[0]!.message).toContain(
    'its mean is 5; give no such field; the lognormal distribution has mu, sigma',
  );
});

test('a sweep over a parameter that the law does not allow says so', async () => {
  const input = places[0]!.input({ kind: 'exponential', mean: 5 });
  const swept = sweep(input, { 'action_defs.load.base_duration_min.mean': [5, -1] }, { runs: 1 });
  await expect(swept).rejects.toMatchObject({
    code: 'InvalidDuration',
    details: { field: 'action_defs.load.base_duration_min.mean', value: -1 },
  });
});
