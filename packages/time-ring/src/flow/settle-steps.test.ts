import { type Random, seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { stepConditions } from '../model/flow.js';
import { flowOfStep, type StepStanding, stepId } from '../model/flow-rows.js';
import { countsAsFailed, isStepOver, type StepEndState } from './judge-step.js';
import { reopenSteps, type Settlement, type StepReads, type StepSelection, settleSteps } from './settle-steps.js';

const FLOW = 7;
const endStates: readonly StepEndState[] = ['succeeded', 'failed', 'killed', 'skipped'];

interface Step extends StepStanding {
  readonly after: readonly number[];
}

/** A flow in memory, with how many rows were read of it. */
function book(shapes: readonly Pick<Step, 'condition' | 'after'>[]) {
  const next: number[][] = shapes.map(() => []);
  shapes.forEach(({ after }, i) => {
    for (const each of after) next[each]!.push(i);
  });
  const steps = shapes.map(
    ({ condition, after }, i): Step => ({
      ...{ id: stepId(FLOW, i), condition, after, state: 'waiting', runId: null, isSource: false },
      ...{ openBefore: after.length, missedBefore: 0, failedBefore: 0 },
    }),
  );
  const counts = { open: steps.length, failed: 0, rows: 0, reads: 0 };
  const indexes = (which: StepSelection) =>
    'ids' in which ? which.ids.map((id) => id - stepId(FLOW, 0)) : steps.map((_, i) => i);
  const counted = <T>(rows: readonly T[]): readonly T[] => {
    counts.rows += rows.length;
    counts.reads += 1;
    return rows;
  };
  const reads: StepReads = {
    standings: async (which) => counted(indexes(which).map((i): StepStanding => steps[i]!)),
    linked: async (which) => counted(indexes(which).map((i) => ({ ...steps[i]!, next: next[i]! }))),
  };
  const write = ({ changed, flows }: Settlement) => {
    for (const standing of changed) {
      const i = standing.id - stepId(FLOW, 0);
      steps[i] = { ...standing, after: steps[i]!.after };
    }
    counts.open += flows.get(FLOW)?.open ?? 0;
    counts.failed += flows.get(FLOW)?.failed ?? 0;
  };
  const start = (index: number) => {
    steps[index] = { ...steps[index]!, state: 'open', runId: index + 1 };
  };
  return { steps, reads, write, start, counts };
}

/** What the contract says of a waiting step, word for word. */
function contract({ condition, after }: Step, steps: readonly Step[]): 'wait' | 'start' | 'skip' {
  const before = after.map((i) => steps[i]!.state);
  const areOver = before.every(isStepOver);
  if (condition === 'succeeded') {
    if (before.some((state) => isStepOver(state) && state !== 'succeeded')) return 'skip';
    return before.every((state) => state === 'succeeded') ? 'start' : 'wait';
  }
  if (!areOver) return 'wait';
  return condition === 'over' || before.some(countsAsFailed) ? 'start' : 'skip';
}

/** Skips what can never start until nothing changes, and gives what starts. */
function bruteForce(steps: Step[]): number[] {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    steps.forEach((step, i) => {
      if (step.state !== 'waiting' || contract(step, steps) !== 'skip') return;
      steps[i] = { ...step, state: 'skipped' };
      isChanged = true;
    });
  }
  return steps.flatMap((step, i) => (step.state === 'waiting' && contract(step, steps) === 'start' ? [i] : []));
}

function randomFlow(random: Random): Pick<Step, 'condition' | 'after'>[] {
  const count = 1 + random.below(12);
  return Array.from({ length: count }, (_, i) => ({
    condition: stepConditions[random.below(3)]!,
    after: [...new Set(Array.from({ length: random.below(4) }, () => random.below(Math.max(1, i))))].filter(
      (x) => x < i,
    ),
  }));
}

const statesOf = (steps: readonly Step[]) => steps.map(({ state }) => state);

test('1,000 random flows with retries go as the contract says, word for word', async () => {
  let retries = 0;
  for (let seed = 0; seed < 1_000; seed++) {
    const random = seededRandom(`flow ${seed}`);
    const flow = book(randomFlow(random));
    const oracle = [...flow.steps];
    const begin = (indexes: readonly number[]) => {
      for (const i of indexes) {
        flow.start(i);
        oracle[i] = { ...oracle[i]!, state: 'open', runId: i + 1 };
      }
    };
    // Steps without any before them are settled where the flow is started; here by ending none.
    const first = bruteForce(oracle);
    for (const [i, { state }] of oracle.entries()) {
      if (state !== 'skipped' || flow.steps[i]!.after.length > 0 || flow.steps[i]!.state === 'skipped') continue;
      flow.write(await settleSteps(flow.reads, [{ id: stepId(FLOW, i), state: 'skipped', runId: null }]));
    }
    expect(statesOf(flow.steps)).toEqual(statesOf(oracle));
    begin(first);
    for (let turn = 0; turn < 30; turn++) {
      const open = oracle.flatMap(({ state }, i) => (state === 'open' ? [i] : []));
      const dead = oracle.flatMap(({ state, runId }, i) =>
        isStepOver(state) && state !== 'succeeded' && runId !== null ? [i] : [],
      );
      if (open.length === 0 && dead.length === 0) break;
      if (dead.length > 0 && random.below(4) === 0) {
        const i = dead[random.below(dead.length)]!;
        retries += 1;
        flow.write(await reopenSteps(flow.reads, [{ id: stepId(FLOW, i), fireId: i + 1 }]));
        oracle[i] = { ...oracle[i]!, state: 'open' };
        oracle.forEach((step, at) => {
          if (step.state === 'skipped' && step.runId === null) oracle[at] = { ...step, state: 'waiting' };
        });
        expect(bruteForce(oracle), `seed ${seed}`).toEqual([]);
      } else {
        const ended = open.filter(() => random.below(2) === 0);
        const ends = ended.map((i) => ({ id: stepId(FLOW, i), state: endStates[random.below(4)]!, runId: i + 1 }));
        const settlement = await settleSteps(flow.reads, ends);
        flow.write(settlement);
        for (const { id, state } of ends) oracle[id - stepId(FLOW, 0)] = { ...oracle[id - stepId(FLOW, 0)]!, state };
        const starting = bruteForce(oracle);
        expect(
          settlement.starting.map((id) => id - stepId(FLOW, 0)),
          `seed ${seed}`,
        ).toEqual(starting);
        begin(starting);
      }
      expect(statesOf(flow.steps), `seed ${seed}`).toEqual(statesOf(oracle));
      expect(flow.counts).toMatchObject({
        open: oracle.filter(({ state }) => !isStepOver(state)).length,
        failed: oracle.filter(({ state }) => countsAsFailed(state)).length,
      });
    }
  }
  expect(retries).toBeGreaterThan(300);
});

test('an end reads the steps after it and no others', async () => {
  const wide = Array.from({ length: 5_000 }, () => ({ condition: 'succeeded' as const, after: [] as number[] }));
  const flow = book([...wide, { condition: 'succeeded', after: wide.map((_, i) => i) }]);
  const { starting } = await settleSteps(flow.reads, [{ id: stepId(FLOW, 3), state: 'succeeded', runId: 1 }]);
  expect(starting).toEqual([]);
  expect(flow.counts.rows).toBeLessThanOrEqual(3);
});

test('a chain of 10,000 steps whose first fails is skipped with few reads, and revived with few', async () => {
  const chain = Array.from({ length: 10_000 }, (_, i) => ({
    condition: 'succeeded' as const,
    after: i === 0 ? [] : [i - 1],
  }));
  const flow = book(chain);
  flow.start(0);
  flow.write(await settleSteps(flow.reads, [{ id: stepId(FLOW, 0), state: 'failed', runId: 1 }]));
  expect(new Set(statesOf(flow.steps).slice(1))).toEqual(new Set(['skipped']));
  expect(flow.counts).toMatchObject({ open: 0, failed: 1 });
  flow.write(await reopenSteps(flow.reads, [{ id: stepId(FLOW, 0), fireId: 1 }]));
  expect(new Set(statesOf(flow.steps).slice(1))).toEqual(new Set(['waiting']));
  expect(flow.counts).toMatchObject({ open: 10_000, failed: 0 });
  expect(flow.counts.reads).toBeLessThan(40);
});

test('a step that is over already is not ended again', async () => {
  const flow = book([
    { condition: 'succeeded', after: [] },
    { condition: 'succeeded', after: [0] },
  ]);
  flow.start(0);
  const end = { id: stepId(FLOW, 0), state: 'succeeded', runId: 1 } as const;
  flow.write(await settleSteps(flow.reads, [end]));
  const again = await settleSteps(flow.reads, [end]);
  expect(again).toEqual({ changed: [], starting: [], flows: new Map() });
  expect(flowOfStep(end.id)).toBe(FLOW);
});
