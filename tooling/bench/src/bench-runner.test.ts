import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { defineBench } from './bench.js';
import { isAskedFor } from './discover.js';
import { measure } from './measure.js';
import { medianInterval, ratioOf, summarize } from './statistics.js';
import { renderComparison, renderTable } from './table.js';
import { report, short } from './verdict.js';

const steady = (value: number) => Array.from({ length: 11 }, (_, i) => value * (1 + (i % 3) * 0.01));
const noisy = (value: number) => Array.from({ length: 11 }, (_, i) => value * (i % 2 === 0 ? 0.2 : 5));

test('a ratio between steady rounds is quoted with its interval', () => {
  const ratio = ratioOf(steady(300), steady(100));
  expect(ratio.quotable).toBe(true);
  expect(ratio.median).toBeCloseTo(3, 6);
  expect(ratio.low).toBeLessThanOrEqual(3);
  expect(ratio.high).toBeGreaterThanOrEqual(3);
});

test('a ratio that the spread hides is refused', () => {
  expect(ratioOf(noisy(110), steady(100)).quotable).toBe(false);
  const table = renderTable(report({ name: 'x', ours: 'us' }, { us: steady(100), them: noisy(110) }));
  expect(table).toContain('hidden by spread');
  expect(table).not.toMatch(/\dx /);
});

test('a summary gives the median, the quartile spread and a 95 % interval around the median', () => {
  const summary = summarize([1, 2, 3, 4, 5]);
  expect(summary.median).toBe(3);
  expect(summary.spread).toBeCloseTo(2 / 3);
  expect(summary.low).toBeLessThanOrEqual(3);
  expect(summary.high).toBeGreaterThanOrEqual(3);
  expect(medianInterval([7, 7, 7])).toEqual([7, 7]);
});

test.each([
  { story: 'reached when the whole interval is above the wanted ratio', peer: 2_500, outcome: 'reached' },
  { story: 'missed when the whole interval is below it', peer: 500, outcome: 'missed' },
])('a wanted ratio is $story', ({ peer, outcome }) => {
  const judged = report(
    { name: 'x', ours: 'us', wanted: [{ against: 'them', ratioAtLeast: 20 }] },
    { us: steady(100), them: steady(peer) },
  );
  expect(judged.wanted[0]!.outcome).toBe(outcome);
});

test('a wanted figure of our own is judged by its interval', () => {
  const outcomes = [200, 100.5, 50].map(
    (atMost) => report({ name: 'x', ours: 'us', wanted: [{ atMost }] }, { us: steady(100) }).wanted[0]!.outcome,
  );
  expect(outcomes).toEqual(['reached', 'unclear', 'missed']);
});

test('rounds interleave the contenders, rotate their order and count operations', async () => {
  const order: string[] = [];
  const note = (name: string, value: number) => {
    order.push(name);
    return value;
  };
  const rounds = await measure(
    defineBench({
      name: 'x',
      ours: 'a',
      contenders: {
        a: { sample: () => note('a', 1) },
        b: { sample: async () => note('b', 2) },
        timed: { setup: () => ({ calls: 0 }), run: (state: { calls: number }) => ++state.calls, operations: 4 },
      },
    }),
    { rounds: 3, turnMs: 1 },
  );
  expect(order.join('')).toBe('abbaab');
  expect(rounds.a).toEqual([1, 1, 1]);
  expect(rounds.timed!.every((value) => value > 0 && value < 1e6)).toBe(true);
});

test('the last result of a contender outlives the collections before its next turn', async () => {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc');
  onTestFinished(() => {
    globalThis.gc = undefined;
  });
  let last: WeakRef<object> | undefined;
  const wasAlive: boolean[] = [];
  const run = () => {
    for (const began = performance.now(); performance.now() - began < 2; );
    wasAlive.push(last?.deref() !== undefined);
    const result = {};
    last = new WeakRef(result);
    return result;
  };
  const contenders = { a: { run }, b: { run: () => ({}) } };
  await measure(defineBench({ name: 'x', ours: 'a', contenders }), { rounds: 3, turnMs: 1 });
  expect(wasAlive.slice(-3)).toEqual([true, true, true]);
});

test('teardown runs even when a contender throws', async () => {
  let torn = 0;
  const bench = defineBench({
    name: 'x',
    ours: 'a',
    contenders: {
      a: {
        sample: () => {
          throw new Error('broken peer');
        },
        teardown: () => ++torn,
      },
    },
  });
  await expect(measure(bench, { rounds: 1, turnMs: 1 })).rejects.toThrow('broken peer');
  expect(torn).toBe(1);
});

test('a definition that names an unknown contender is refused', () => {
  const contenders = { a: { run: () => 1 } };
  expect(() => defineBench({ name: 'x', ours: 'b', contenders })).toThrow('ours is "b"; contenders are a');
  expect(() => defineBench({ name: 'x', ours: 'a', contenders, wanted: [{ against: 'c', ratioAtLeast: 2 }] })).toThrow(
    'wanted names "c"',
  );
  expect(() => defineBench({ name: 'x', ours: 'a', contenders: { a: {} } })).toThrow('either run or sample');
});

test('a name is asked for by whole segments of its path', () => {
  expect(isAskedFor('cron/next/UTC', ['cron/next'])).toBe(true);
  expect(isAskedFor('cron/nextish', ['cron/next'])).toBe(false);
  expect(isAskedFor('anything', [])).toBe(true);
});

test('a comparison with a saved run speaks only where the intervals part', () => {
  const run = (value: number) => [report({ name: 'x', ours: 'us' }, { us: steady(value) })];
  expect(renderComparison(run(100), run(200))).toContain('2x as fast');
  expect(renderComparison(run(100), run(100))).toContain('no difference seen');
});

test('figures are shortened to what can be believed', () => {
  expect([0, 0.01234, 56.78, 1234.5, 96_092.4].map(short)).toEqual(['0', '0.0123', '56.8', '1,235', '96,092']);
});
