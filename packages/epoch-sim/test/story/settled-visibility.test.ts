import { describe, expect, test } from 'vitest';
import { type ActionInstance, type FollowUp, runEpoch, runEpochs, verifyLog } from '../../src/index.js';
import { at, lines, world } from '../support/small-world.js';

const call = { base_duration_min: 5, interruptible: true, may_trigger_event: true };
const one = [{ id: 'A', verb: 'call', at: '08:00' }];

describe('settled 12: follow-ups', () => {
  test('an interrupt never triggers, the end after it does', () => {
    const result = runEpoch(
      world({ call }, one, { interrupts: [{ at: at('08:02'), target: 'A', resume_after_min: 10 }] }),
    );
    expect(lines(result)).toEqual([
      '08:00 start A',
      '08:02 interrupt A',
      '08:12 start A',
      '08:15 end A',
      '08:15 visibility_change A',
    ]);
    const cancelled = runEpoch(
      world({ call }, one, { interrupts: [{ at: at('08:02'), target: 'A', resume: 'never' }] }),
    );
    expect(lines(cancelled)).toEqual(['08:00 start A', '08:02 interrupt A']);
  });

  const withFollowUps = (followUps: FollowUp[] | undefined) =>
    runEpoch(world({ call, walk: { base_duration_min: 10 } }, one), {
      onEnd: ({ action_id }) => (action_id === 'A' ? followUps : []),
    });

  test('onEnd may replace the visibility change, also by nothing; undefined keeps it', () => {
    expect(lines(withFollowUps([]))).toEqual(['08:00 start A', '08:05 end A']);
    expect(lines(withFollowUps(undefined))).toEqual(['08:00 start A', '08:05 end A', '08:05 visibility_change A']);
    const later = withFollowUps([{ type: 'visibility_change', after_min: 7, meta: { text: 'heard' } }]);
    expect(lines(later)).toEqual(['08:00 start A', '08:05 end A', '08:12 visibility_change A']);
    expect(later.schedule_events[2]!.meta).toEqual({ reveals: ['A'], text: 'heard' });
  });

  test('onEnd may submit actions, which are admitted in the same minute or later', () => {
    const action = { id: 'B', actor: 'Ann', verb: 'walk' };
    expect(lines(withFollowUps([{ type: 'submit', action }]))).toEqual([
      '08:00 start A',
      '08:05 end A',
      '08:05 start B',
      '08:15 end B',
    ]);
    expect(lines(withFollowUps([{ type: 'submit', action, after_min: 3 }]))[2]).toBe('08:08 start B');
    const bad = withFollowUps([{ type: 'submit', action: { ...action, verb: 'fly' } }]);
    expect(bad.rejections).toMatchObject([{ id: 'B', code: 'UnknownVerb', t: 5 }]);
  });

  test('onEnd is told who ended, and sees the state', () => {
    const seen: unknown[] = [];
    const input = world({ call: { ...call, locks: ['radio'] } }, [
      { id: 'A', verb: 'call', at: '08:00', params: { to: 'Ben' } },
      { id: 'B', verb: 'call', at: '08:01' },
    ]);
    runEpoch(input, {
      onEnd: (ended, view) => {
        seen.push(ended, view.waiting, view.locks.radio, view.running);
        return [];
      },
    });
    expect(seen.slice(0, 4)).toEqual([
      { action_id: 'A', actor: 'Ann', verb: 'call', params: { to: 'Ben' }, t: 5 },
      ['B'],
      { held_by: null, queue: ['B'] },
      [],
    ]);
  });
});

describe('settled 13: what the PC sees', () => {
  const walk = { base_duration_min: 5 };
  const sees = (action: Partial<ActionInstance>, def: object = {}, more: object = {}) =>
    runEpoch(
      world({ walk: { ...walk, ...def } }, [{ id: 'A', verb: 'walk', at: '08:00', actor: 'Ben', ...action }], {
        pc: 'Ann',
        ...more,
      }),
    ).logs.pc_log.length > 0;

  test.each([
    { story: 'own actions', action: { actor: 'Ann' }, seen: true },
    { story: "others' actions", action: {}, seen: false },
    { story: 'public ones', action: { scope: 'public' }, seen: true },
    { story: 'pc ones', action: { scope: 'pc' }, seen: true },
    { story: 'private ones', action: { scope: 'private' }, seen: false },
    { story: 'public by definition', action: {}, def: { scope: 'public' }, seen: true },
    {
      story: 'the instance overrides the definition',
      action: { scope: 'private' },
      def: { scope: 'public' },
      seen: false,
    },
    { story: 'addressed by name', action: { visibility_to: ['Ann', 'Cleo'] }, seen: true },
    { story: 'addressed to somebody else', action: { visibility_to: ['Cleo'] }, seen: false },
    { story: 'allies only, allied', action: { allies_only: true }, more: { allies: ['Ben'] }, seen: true },
    { story: 'allies only, not allied', action: { allies_only: true }, more: { allies: ['Cleo'] }, seen: false },
    { story: 'allies only as a scope', action: { scope: 'allies_only' }, more: { allies: ['Ben'] }, seen: true },
  ])('$story: $seen', ({ action, def = {}, more = {}, seen }) => {
    expect(sees(action, def, more)).toBe(seen);
  });

  test('every visibility change is seen; it is appended at its own time and reveals, nothing earlier changes', () => {
    const { logs } = runEpoch(world({ call }, [{ ...one[0]!, actor: 'Ben' }], { pc: 'Ann' }));
    expect(logs.world_log.map(({ type }) => type)).toEqual(['start', 'end', 'visibility_change']);
    expect(logs.pc_log).toEqual([logs.world_log[2]]);
    expect(logs.pc_log[0]!.meta).toEqual({ reveals: ['A'] });
  });

  test('a log record is the event, flat, with seq, epoch, slot and hash', () => {
    const result = runEpoch({ ...world({ call }, [{ id: 'A', verb: 'call', at: '10:58' }]), pc: 'Ann' });
    const { hash, ...record } = result.logs.world_log[1]!;
    expect(record).toEqual({ ...result.schedule_events[1], seq: 1, epoch: 0, slot: 3 });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the chain runs through the epochs and shows the first record that was changed', () => {
    const input = {
      ...world({ call }, [{ id: 'A', verb: 'call', at: '08:58' }]),
      epoch: { index: 3, start_at: at('08:00'), end_at: at('09:00') },
    };
    const [first, second] = runEpochs(input, 2) as [ReturnType<typeof runEpoch>, ReturnType<typeof runEpoch>];
    expect(first.carry_over.hash).toBe(first.logs.world_log.at(-1)!.hash);
    expect(second.logs.world_log.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [1, 4],
      [2, 4],
    ]);
    expect(verifyLog(first.logs.world_log)).toBe(null);
    expect(verifyLog(second.logs.world_log, first.carry_over.hash)).toBe(null);
    expect(verifyLog(second.logs.world_log)).toBe(1);
    const forged = [...first.logs.world_log, ...second.logs.world_log].map((record) => ({ ...record }));
    forged[1]!.t++;
    expect(verifyLog(forged)).toBe(1);
  });
});

describe('settled 14: epochs', () => {
  const hour = { index: 0, start_at: at('08:00'), end_at: at('09:00') };
  const use = { base_duration_min: 30, locks: ['tool'], may_trigger_event: true, interruptible: true };

  test('ends and visibility changes at the last minute close the epoch; interrupts, submissions and starts open the next', () => {
    const input = world(
      { use },
      [
        { id: 'A', verb: 'use', at: '08:30' },
        { id: 'B', verb: 'use', at: '08:40' },
        { id: 'C', verb: 'use', at: '09:00' },
      ],
      { interrupts: [{ at: at('09:00'), target: 'B' }] },
    );
    const first = runEpoch({ ...input, epoch: hour });
    expect(lines(first)).toEqual(['08:30 start A', '09:00 end A', '09:00 visibility_change A']);
    expect(first.carry_over.waiting).toMatchObject([{ id: 'B', waited_min: 20 }]);
    const second = runEpoch({
      epoch: { index: 1, start_at: at('09:00'), end_at: at('10:00') },
      actions_submitted: [],
      action_defs: {},
      carry_over: JSON.parse(JSON.stringify(first.carry_over)),
    });
    expect(second.ignored_interrupts).toEqual([{ target: 'B', reason: 'not_running', t: 0 }]);
    expect(second.schedule_events[0]).toMatchObject({ type: 'start', action_id: 'B', t: 0, meta: { waited_min: 20 } });
    expect(lines(second)).toEqual([
      '09:00 start B',
      '09:30 end B',
      '09:30 visibility_change B',
      '09:30 start C',
      '10:00 end C',
      '10:00 visibility_change C',
    ]);
  });

  test('a carried action gets no second start and keeps its lock', () => {
    const [first, second] = runEpochs({ ...world({ use }, [{ id: 'A', verb: 'use', at: '08:45' }]), epoch: hour }, 2);
    expect(first!.locks.tool).toEqual({ held_by: 'A', queue: [] });
    expect(first!.carry_over.running).toMatchObject([{ id: 'A', remaining: 15 }]);
    expect(lines(second!)).toEqual(['09:15 end A', '09:15 visibility_change A']);
    expect(second!.schedule_events[0]!.t).toBe(15);
  });

  test('a suspended action is carried with what is left and when it resumes', () => {
    const input = world({ use }, [{ id: 'A', verb: 'use', at: '08:45' }], {
      interrupts: [{ at: at('08:50'), target: 'A', resume_after_min: 20 }],
    });
    const { carry_over } = runEpoch({ ...input, epoch: hour });
    expect(carry_over.suspended).toMatchObject([{ id: 'A', d_rem: 25, resume_in: 10 }]);
  });

  test.each([
    { minutes: 1440, t: 1440, slots: undefined, slot: 23 },
    { minutes: 1440, t: 61, slots: undefined, slot: 1 },
    { minutes: 90, t: 90, slots: undefined, slot: 1 },
    { minutes: 1440, t: 1000, slots: 4, slot: 3 },
  ])('minute $t of $minutes with $slots slots is in slot $slot', ({ minutes, t, slots, slot }) => {
    const start = Date.UTC(2025, 0, 1);
    const iso = (minute: number) => new Date(start + minute * 60_000).toISOString();
    const { logs } = runEpoch(
      {
        epoch: { index: 0, start_at: iso(0), end_at: iso(minutes) },
        action_defs: { blink: { base_duration_min: 1 } },
        actions_submitted: [{ id: 'A', actor: 'x', verb: 'blink', submitted_at: iso(t - 1) }],
      },
      slots === undefined ? {} : { slots },
    );
    expect(logs.world_log.at(-1)).toMatchObject({ t, slot });
  });
});
