import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import {
  type CarryOver,
  createSimulation,
  type EpochInput,
  type EpochOptions,
  type EpochResult,
  restoreSimulation,
  runEpoch,
  runEpochs,
  type ScheduleEvent,
  type Simulation,
  verifyLog,
} from '../../src/index.js';
import { isoAt, randomScenario } from '../support/random-scenario.js';

const rounds = process.env.HORAE_LONG ? 5_000 : 300;
const seed = process.env.HORAE_SEED ?? 'relations';

function each(
  relation: string,
  check: (scenario: ReturnType<typeof randomScenario>, story: string) => void,
  times = rounds,
): void {
  for (let i = 0; i < times; i++) {
    const story = `${seed}/${relation}/${i}`;
    check(randomScenario(story), story);
  }
}

const timeless = ({ type, action_id, at, meta }: ScheduleEvent) => ({ type, action_id, at, meta });

/** Runs the windows one after the other; `distribute` decides whether later inputs bring their own actions. */
function runSplit(input: EpochInput, options: EpochOptions, cuts: number[], distribute: boolean): EpochResult[] {
  const results: EpochResult[] = [];
  let carry: CarryOver | undefined;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [from, to] = [cuts[i]!, cuts[i + 1]!];
    const mine = (at: string) => !distribute || (at < isoAt(to) && (i === 0 || at >= isoAt(from)));
    const first = i === 0 || distribute;
    const { resources, actions_submitted, interrupts = [], ...rest } = input;
    const result = runEpoch(
      {
        ...rest,
        ...(i === 0 ? { resources } : {}),
        actions_submitted: first ? actions_submitted.filter((a) => mine(a.submitted_at)) : [],
        interrupts: first ? interrupts.filter((a) => mine(a.at)) : [],
        epoch: { index: i, start_at: isoAt(from), end_at: isoAt(to) },
        carry_over: carry,
      },
      options,
    );
    carry = JSON.parse(JSON.stringify(result.carry_over)) as CarryOver;
    results.push(result);
  }
  return results;
}

test('any split of the time line into epochs gives the same events, however the actions are handed in', () => {
  each('split', ({ input, options, minutes }, story) => {
    const random = seededRandom(story);
    const whole = runEpoch(input, options);
    const inner = new Set(Array.from({ length: 1 + random.below(5) }, () => 1 + random.below(minutes - 1)));
    const cuts = [0, ...[...inner].sort((a, b) => a - b), minutes];
    for (const distribute of [false, true]) {
      const parts = runSplit(input, options, cuts, distribute);
      expect(
        parts.flatMap((part) => part.schedule_events.map(timeless)),
        story,
      ).toEqual(whole.schedule_events.map(timeless));
      expect(parts.at(-1)!.resources, story).toEqual(whole.resources);
      const codes = (results: EpochResult[]) =>
        results.flatMap((r) => r.rejections.map(({ id, code }) => ({ id, code })));
      expect(codes(parts), story).toEqual(codes([whole]));
      const { hash: _a, ...left } = parts.at(-1)!.carry_over;
      const { hash: _b, ...right } = whole.carry_over;
      expect({ ...left, finished: left.finished.sort() }, story).toEqual({ ...right, finished: right.finished.sort() });
    }
  });
});

test('runEpochs over equal windows gives the events of one long epoch, and one hash chain', () => {
  each('run-epochs', ({ input, options }, story) => {
    const count = 4;
    const length = 30;
    const epoch = { index: 0, start_at: isoAt(0), end_at: isoAt(length) };
    const parts = runEpochs({ ...input, epoch }, count, options);
    const whole = runEpoch({ ...input, epoch: { ...epoch, end_at: isoAt(count * length) } }, options);
    expect(
      parts.flatMap((part) => part.schedule_events.map(timeless)),
      story,
    ).toEqual(whole.schedule_events.map(timeless));
    const log = parts.flatMap((part) => part.logs.world_log);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i));
    expect(verifyLog(log)).toBe(null);
    expect(parts.at(-1)!.carry_over.hash).toBe(log.at(-1)?.hash ?? '0'.repeat(64));
  });
});

test('snapshot and restore at any minute changes nothing, in both formats', () => {
  each(
    'snapshot',
    ({ input, options, minutes }, story) => {
      const random = seededRandom(story);
      const at = random.below(minutes + 1) - 1;
      const straight = createSimulation(input, options).runUntil(minutes);
      const first = createSimulation(input, options);
      if (at >= 0) first.runUntil(at);
      const json = restoreSimulation(JSON.parse(JSON.stringify(first.snapshot())));
      const binary = restoreSimulation(first.snapshot({ format: 'binary' }).slice());
      const bytes = (simulation: Simulation) =>
        JSON.stringify([simulation.events(), simulation.result(), simulation.snapshot()]);
      const wanted = bytes(straight);
      for (const restored of [first, json, binary]) expect(bytes(restored.runUntil(minutes)), story).toBe(wanted);
    },
    rounds / 3,
  );
});

test('a branch is equal at first and independent afterwards', () => {
  each(
    'branch',
    ({ input, options, minutes }, story) => {
      const at = seededRandom(story).below(minutes);
      const trunk = createSimulation(input, options).runUntil(at);
      const branch = trunk.branch();
      expect(trunk.diff(branch)).toEqual({ first_divergence: null, only_here: [], only_there: [] });
      const before = trunk.snapshot();
      branch
        .submit({ id: 'new', actor: 'Ann', verb: 'verb0', params: {}, submitted_at: isoAt(at + 1) })
        .runUntil(minutes);
      expect(trunk.snapshot().moving, story).toEqual(before.moving);
      expect(trunk.snapshot().columns, story).toEqual(before.columns);
    },
    rounds / 6,
  );
});

test('work is conserved over interrupts: what an action ran adds up to its first duration', () => {
  let interrupted = 0;
  each('work', ({ input, options }, story) => {
    const { schedule_events } = runEpoch(input, options);
    const runs = new Map<string, { since: number; ran: number; wanted: number }>();
    for (const { type, action_id, t, meta } of schedule_events) {
      const run = runs.get(action_id) ?? { since: t, ran: 0, wanted: meta.d_eff as number };
      runs.set(action_id, run);
      if (type === 'start') {
        run.since = t;
        expect(run.ran + (meta.d_eff as number), story).toBe(run.wanted);
      } else if (type !== 'visibility_change') {
        run.ran += t - run.since;
        const left = type === 'end' ? 0 : (meta.d_rem as number);
        if (type === 'interrupt') interrupted++;
        expect(run.ran + left, story).toBe(run.wanted);
      }
    }
  });
  expect(interrupted).toBeGreaterThan(rounds / 10);
});

test('no lock ever has two holders, and what cannot be interrupted never is', () => {
  let preempted = 0;
  each('locks', ({ input, options }, story) => {
    const actions_submitted = input.actions_submitted.map((action, i) => ({ ...action, id: `x${i}` }));
    const { schedule_events, locks } = runEpoch({ ...input, actions_submitted }, options);
    const held = new Map<string, string>();
    for (const { type, action_id, meta } of schedule_events) {
      if (type === 'visibility_change') continue;
      const def = input.action_defs[actions_submitted[Number(action_id.slice(1))]!.verb]!;
      if (type === 'interrupt') {
        expect(def.interruptible, story).toBe(true);
        if (meta.reason === 'preempted') preempted++;
      }
      for (const lock of def.locks!) {
        if (type === 'start') expect(held.get(lock), story).toBeUndefined();
        if (type === 'start') held.set(lock, action_id);
        else held.delete(lock);
      }
    }
    for (const [lock, { held_by }] of Object.entries(locks))
      if (!lock.startsWith('actor:')) expect(held_by, story).toBe(held.get(lock) ?? null);
  });
  expect(preempted).toBeGreaterThan(rounds / 20);
});

test('adding an unrelated action changes nothing else, with noise as well', () => {
  each('unrelated', ({ input, options }, story) => {
    const noisy = { ...options, noise: { seed: 7, percent: 20 } };
    const stranger = { id: 'stranger', actor: 'Zoe', verb: 'wander', params: {}, submitted_at: isoAt(3) };
    const wander = { base_duration_min: 17, locks: ['somewhere else'], may_trigger_event: true };
    const without = runEpoch(input, noisy).schedule_events;
    const withStranger = runEpoch(
      {
        ...input,
        actions_submitted: [stranger, ...input.actions_submitted],
        action_defs: { ...input.action_defs, wander },
      },
      noisy,
    ).schedule_events;
    expect(
      withStranger.filter(({ action_id }) => action_id !== 'stranger'),
      story,
    ).toEqual(without);
  });
});

test('renaming only renames', () => {
  each('rename', ({ input, options }, story) => {
    const rename = (text: string) => `né ${text} ♥`;
    const lock = (text: string) => `${'zyxw'[text.charCodeAt(0) - 97]}-lock`;
    const renamed: EpochInput = {
      ...input,
      actions_submitted: input.actions_submitted.map((action) => ({ ...action, id: rename(action.id) })),
      action_defs: Object.fromEntries(
        Object.entries(input.action_defs).map(([verb, def]) => [verb, { ...def, locks: def.locks!.map(lock) }]),
      ),
      interrupts: input.interrupts!.map((one) => ({ ...one, target: renameTarget(one.target) })),
    };
    const expected = runEpoch(input, options).schedule_events.map((event) => JSON.stringify(event));
    const back = runEpoch(renamed, options).schedule_events.map((event) =>
      JSON.stringify(event).replaceAll(/né (x\d+) ♥/g, '$1'),
    );
    expect(back, story).toEqual(expected);

    function renameTarget(target: string): string {
      if (target.startsWith('lock:')) return `lock:${lock(target.slice(5))}`;
      return target.startsWith('actor:') ? target : rename(target);
    }
  });
});

test('the pc log is an order-preserving part of the world log', () => {
  each('pc-log', ({ input, options }, story) => {
    const { world_log, pc_log } = runEpoch(input, options).logs;
    expect(pc_log, story).toEqual(world_log.filter(({ seq }) => pc_log.some((record) => record.seq === seq)));
    expect(verifyLog(world_log), story).toBe(null);
  });
});
