import { type Random, seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import type { FlowInput } from '../model/flow.js';
import { handIn, tooMuchHandedIn } from './hand-in.js';
import { isBefore, orderSteps } from './order-steps.js';
import { parseFlow } from './parse-flow.js';

const flow = (steps: unknown): FlowInput => ({ name: 'f', steps: steps as FlowInput['steps'] });

test.each([
  { story: 'without steps', steps: {}, field: 'steps', says: 'at least one step' },
  { story: 'whose steps are a list', steps: [], field: 'steps', says: 'by name' },
  { story: 'with a step without a job', steps: { a: {} }, field: 'steps.a.job', says: '' },
  { story: 'with an unknown field', steps: { a: { job: 'j', retry: 1 } }, field: 'steps.a.retry', says: 'not known' },
  { story: 'with an unknown condition', steps: { a: { job: 'j', when: 'done' } }, field: 'steps.a.when', says: '' },
  { story: 'with an unknown step', steps: { a: { job: 'j', after: ['b'] } }, field: 'steps.a.after', says: '"b"' },
  {
    story: 'with params that are no JSON',
    steps: { a: { job: 'j', params: { x: () => {} } } },
    field: 'steps.a.params',
    says: '',
  },
  {
    story: 'with a step that waits for itself',
    steps: { a: { job: 'j', after: ['a'] } },
    field: 'steps',
    says: '"a" after "a"',
  },
  { story: 'with a nameless step', steps: { '': { job: 'j' } }, field: 'steps', says: '1 to 255' },
  {
    story: 'with a step that an object takes for its prototype',
    steps: JSON.parse('{"__proto__": {"job": "j"}}'),
    field: 'steps',
    says: '__proto__',
  },
  {
    story: 'with a result of a step that comes later',
    steps: { a: { job: 'j', params: { from: 'b' } }, b: { job: 'j', after: ['a'] } },
    field: 'steps.a.params.from',
    says: 'does not come before',
  },
  {
    story: 'with a result of a step beside it',
    steps: { a: { job: 'j' }, b: { job: 'j', params: { from: ['a'] } } },
    field: 'steps.b.params.from',
    says: '"a" does not come before step "b"',
  },
  {
    story: 'of too many steps',
    steps: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`s${i}`, { job: 'j' }])),
    field: 'steps',
    says: 'at most 10000',
  },
])('a flow $story is refused', ({ steps, field, says }) => {
  expect(() => parseFlow(flow(steps))).toThrow(
    expect.objectContaining({
      code: 'bad-flow',
      message: expect.stringContaining(says),
      details: expect.objectContaining({ field }),
    }),
  );
});

test('a cycle is refused with its steps in their order', () => {
  const steps = {
    start: { job: 'j' },
    a: { job: 'j', after: ['start', 'c'] },
    b: { job: 'j', after: ['a'] },
    c: { job: 'j', after: ['b'] },
  };
  expect(() => parseFlow(flow(steps))).toThrow(
    expect.objectContaining({
      message: 'steps: these steps wait for each other: "a" after "c" after "b" after "a"',
      details: expect.objectContaining({ cycle: ['a', 'c', 'b', 'a'] }),
    }),
  );
});

test('a `from` is a reference when it names steps, and an ordinary value otherwise', () => {
  const { steps } = parseFlow(
    flow({
      a: { job: 'j', params: { from: 'home' } },
      b: { job: 'j', after: ['a'], params: { from: 'a', more: 1 } },
      c: { job: 'j', after: ['b'], params: { from: ['a', 'b', 'a'] } },
      d: { job: 'j', after: ['c'], params: { from: ['a', 'nobody'] } },
      e: { job: 'j', after: ['c'], params: [{ from: 'a' }] },
      f: { job: 7 },
    }),
  );
  expect(steps.map(({ sources }) => sources)).toEqual([null, 0, [0, 1], null, null, null]);
  expect(steps.map(({ isSource }) => isSource)).toEqual([true, true, false, false, false, false]);
  const results = (index: number) => ({ name: steps[index]!.name, result: `result ${index}` });
  expect(steps.map((step) => handIn(step, results))).toEqual([
    { from: 'home' },
    { from: 'result 0', more: 1 },
    { from: { a: 'result 0', b: 'result 1' } },
    { from: ['a', 'nobody'] },
    [{ from: 'a' }],
    undefined,
  ]);
});

test('what is handed in has a limit', () => {
  expect(tooMuchHandedIn(undefined)).toBe(null);
  expect(tooMuchHandedIn({ from: 'x'.repeat(4_000_000) })).toBe(null);
  expect(tooMuchHandedIn({ from: 'x'.repeat(4_200_000) })).toMatch(/4200011 characters of JSON, more than 4194304/);
});

function randomLinks(random: Random): number[][] {
  const count = 1 + random.below(9);
  return Array.from({ length: count }, () => [
    ...new Set(Array.from({ length: random.below(3) }, () => random.below(count))),
  ]);
}

/** Every step that can be reached by walking back. */
function allBefore(after: readonly (readonly number[])[], step: number): Set<number> {
  const reached = new Set<number>();
  const open = [...after[step]!];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    open.push(...after[at]!);
  }
  return reached;
}

test('2,000 random graphs are ordered, or a cycle in them is shown', () => {
  let cycles = 0;
  for (let seed = 0; seed < 2_000; seed++) {
    const after = randomLinks(seededRandom(`graph ${seed}`));
    const reach = after.map((_, i) => allBefore(after, i));
    const ordered = orderSteps(after);
    if (ordered.kind === 'cycle') {
      cycles += 1;
      expect(ordered.steps.length).toBeGreaterThan(1);
      expect(ordered.steps[0]).toBe(ordered.steps.at(-1));
      ordered.steps.slice(1).forEach((step, i) => {
        expect(after[ordered.steps[i]!]).toContain(step);
      });
      continue;
    }
    expect(reach.some((before, i) => before.has(i))).toBe(false);
    const place = new Map(ordered.order.map((step, i) => [step, i]));
    after.forEach((before, i) => {
      for (const each of before) expect(place.get(each)!).toBeLessThan(place.get(i)!);
    });
    const comesBefore = isBefore(after, ordered.order);
    after.forEach((_, later) => {
      for (const [step] of after.entries()) expect(comesBefore(step, later)).toBe(reach[later]!.has(step));
    });
  }
  expect(cycles).toBeGreaterThan(200);
});

test('10,000 steps are checked in one go, results of distant steps too', () => {
  const steps = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [
      `s${i}`,
      { job: 'j', after: i === 0 ? [] : [`s${i - 1}`], ...(i === 9_999 ? { params: { from: 's0' } } : {}) },
    ]),
  );
  expect(parseFlow(flow(steps)).steps[9_999]).toMatchObject({ sources: 0, after: [9_998], next: [] });
});
