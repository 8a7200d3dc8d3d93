import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import {
  createSimulation,
  type EpochInput,
  restoreSimulation,
  runEpoch,
  runEpochs,
  type ScheduleEvent,
  verifyLog,
} from '../../src/index.js';
import { compareRestored } from '../support/compare-restored.js';
import { compareSplit } from '../support/compare-split.js';
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

test('any split of the time line into epochs gives the same events, however the actions are handed in', () => {
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/split/${i}`;
    for (const distribute of [false, true]) {
      const { parts, whole } = compareSplit({ runEpoch }, story, distribute);
      expect(parts, story).toEqual(whole);
    }
  }
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
  for (let i = 0; i < rounds / 3; i++) {
    const story = `${seed}/snapshot/${i}`;
    const { straight, restored } = compareRestored({ createSimulation, restoreSimulation }, story);
    for (const bytes of restored) expect(bytes, story).toBe(straight);
  }
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
      for (const lock of def.locks as string[]) {
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
    // An actor's own lock is named after the actor, who keeps the name.
    const lock = (text: string) => (text.startsWith('actor:') ? text : `${'zyxw'[text.charCodeAt(0) - 97]}-lock`);
    const renamed: EpochInput = {
      ...input,
      actions_submitted: input.actions_submitted.map((action) => ({ ...action, id: rename(action.id) })),
      action_defs: Object.fromEntries(
        Object.entries(input.action_defs).map(([verb, def]) => [
          verb,
          { ...def, locks: (def.locks as string[]).map(lock) },
        ]),
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
