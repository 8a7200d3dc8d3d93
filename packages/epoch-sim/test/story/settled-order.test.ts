import { describe, expect, test } from 'vitest';
import { runEpoch } from '../../src/index.js';
import { at, lines, world } from '../support/small-world.js';

const use = { base_duration_min: 10, locks: ['tool'] };

describe('settled 6: the order within a minute', () => {
  test('is end, visibility change, interrupt, start', () => {
    const defs = {
      call: { base_duration_min: 10, may_trigger_event: true },
      walk: { base_duration_min: 60, interruptible: true },
    };
    const input = world(
      defs,
      [
        { id: 'call', verb: 'call', at: '08:00' },
        { id: 'walk', verb: 'walk', at: '08:01' },
        { id: 'next', verb: 'call', at: '08:10' },
      ],
      { interrupts: [{ at: at('08:10'), target: 'walk', resume_after_min: 100 }] },
    );
    expect(lines(runEpoch(input)).slice(2, 6)).toEqual([
      '08:10 end call',
      '08:10 visibility_change call',
      '08:10 interrupt walk',
      '08:10 start next',
    ]);
  });

  test('submissions of one minute start in list order, and ends follow the order of the starts', () => {
    const defs = { short: { base_duration_min: 5 }, long: { base_duration_min: 10 } };
    const input = world(defs, [
      { id: 'z', verb: 'long', at: '08:00' },
      { id: 'b', verb: 'short', at: '08:05' },
      { id: 'a', verb: 'short', at: '08:05' },
    ]);
    expect(lines(runEpoch(input))).toEqual([
      '08:00 start z',
      '08:05 start b',
      '08:05 start a',
      '08:10 end z',
      '08:10 end b',
      '08:10 end a',
    ]);
  });

  test('visibility changes follow all ends of their minute', () => {
    const input = world({ call: { base_duration_min: 5, may_trigger_event: true } }, [
      { id: 'a', verb: 'call', at: '08:00' },
      { id: 'b', verb: 'call', at: '08:00' },
    ]);
    expect(lines(runEpoch(input)).slice(2)).toEqual([
      '08:05 end a',
      '08:05 end b',
      '08:05 visibility_change a',
      '08:05 visibility_change b',
    ]);
  });

  test('resumptions come before new submissions', () => {
    const input = world(
      { use: { ...use, interruptible: true } },
      [
        { id: 'old', verb: 'use', at: '08:00' },
        { id: 'new', verb: 'use', at: '08:05' },
      ],
      { interrupts: [{ at: at('08:05'), target: 'old' }] },
    );
    expect(lines(runEpoch(input))).toEqual([
      '08:00 start old',
      '08:05 interrupt old',
      '08:05 start old',
      '08:10 end old',
      '08:10 start new',
      '08:20 end new',
    ]);
  });

  test('resumptions of one minute keep the order of their first requests', () => {
    const input = world(
      { use: { ...use, locks: ['tool'], interruptible: true }, nap: { base_duration_min: 10, interruptible: true } },
      [
        { id: 'first', verb: 'nap', at: '08:00' },
        { id: 'second', verb: 'nap', at: '08:01' },
      ],
      {
        interrupts: [
          { at: at('08:02'), target: 'second', resume_after_min: 3 },
          { at: at('08:03'), target: 'first', resume_after_min: 2 },
        ],
      },
    );
    expect(lines(runEpoch(input)).slice(4, 6)).toEqual(['08:05 start first', '08:05 start second']);
  });

  test('interrupts go by priority descending, then by list order', () => {
    const input = world(
      { nap: { base_duration_min: 10, interruptible: true } },
      ['a', 'b', 'c'].map((id) => ({ id, verb: 'nap', at: '08:00' })),
      {
        interrupts: [
          { at: at('08:05'), target: 'a', priority: 1, resume: 'never' },
          { at: at('08:05'), target: 'b', priority: 1, resume: 'never' },
          { at: at('08:05'), target: 'c', priority: 9, resume: 'never' },
        ],
      },
    );
    expect(lines(runEpoch(input)).slice(3)).toEqual(['08:05 interrupt c', '08:05 interrupt a', '08:05 interrupt b']);
  });
});

describe('settled 7: locks', () => {
  const defs = {
    a: { base_duration_min: 10, locks: ['x'] },
    b: { base_duration_min: 10, locks: ['y', 'x', 'y'] },
    c: { base_duration_min: 10, locks: ['y'] },
  };

  test('are all or nothing, and nobody overtakes: a request waits behind one that waits for another lock', () => {
    const result = runEpoch(
      world(defs, [
        { id: 'A', verb: 'a', at: '08:00' },
        { id: 'B', verb: 'b', at: '08:02' },
        { id: 'C', verb: 'c', at: '08:04' },
      ]),
    );
    expect(lines(result)).toEqual([
      '08:00 start A',
      '08:10 end A',
      '08:10 start B',
      '08:20 end B',
      '08:20 start C',
      '08:30 end C',
    ]);
  });

  test('the table after the epoch names holder and queue', () => {
    const input = world(defs, [
      { id: 'A', verb: 'a', at: '08:00' },
      { id: 'B', verb: 'b', at: '08:02' },
      { id: 'C', verb: 'c', at: '08:04' },
    ]);
    const { locks } = runEpoch({ ...input, epoch: { index: 0, start_at: at('08:00'), end_at: at('08:06') } });
    expect(locks).toEqual({ x: { held_by: 'A', queue: ['B'] }, y: { held_by: null, queue: ['B', 'C'] } });
  });

  test('crossing requests cannot deadlock', () => {
    const crossing = { p: { base_duration_min: 5, locks: ['x', 'y'] }, q: { base_duration_min: 5, locks: ['y', 'x'] } };
    const actions = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, verb: i % 2 === 0 ? 'p' : 'q', at: '08:00' }));
    const { schedule_events, carry_over } = runEpoch(world(crossing, actions));
    expect(schedule_events.filter(({ type }) => type === 'end')).toHaveLength(20);
    expect(carry_over.waiting).toEqual([]);
  });
});

describe('settled 8: failing instead of waiting, and exclusive actors', () => {
  const two = [
    { id: 'A', verb: 'use', at: '08:00' },
    { id: 'B', verb: 'use', at: '08:05' },
    { id: 'C', verb: 'use', at: '08:10' },
  ];

  test("lock_policy 'fail' refuses a held lock; one that is free again in that minute is given", () => {
    const result = runEpoch(world({ use }, two), { lock_policy: 'fail' });
    expect(result.rejections).toMatchObject([{ id: 'B', code: 'CannotAcquireLock', t: 5 }]);
    expect(lines(result)).toEqual(['08:00 start A', '08:10 end A', '08:10 start C', '08:20 end C']);
  });

  test('an awaited lock is refused too, and nothing is acquired or reserved', () => {
    const defs = {
      use,
      both: { base_duration_min: 5, locks: ['tool', 'bench'] },
      sit: {
        base_duration_min: 5,
        locks: ['bench'],
        on_conflict: 'fail' as const,
        resources: [{ name: 'tea', amount: 1 }],
      },
    };
    const result = runEpoch(
      world(
        defs,
        [
          { id: 'A', verb: 'use', at: '08:00' },
          { id: 'B', verb: 'both', at: '08:01' },
          { id: 'C', verb: 'sit', at: '08:02' },
        ],
        { resources: { tea: 3 } },
      ),
    );
    expect(result.rejections).toMatchObject([{ id: 'C', code: 'CannotAcquireLock', t: 2 }]);
    expect(result.resources).toEqual({ tea: { stock: 3, reserved: 0 } });
  });

  test('the definition overrides the policy', () => {
    const result = runEpoch(world({ use: { ...use, on_conflict: 'queue' } }, two), { lock_policy: 'fail' });
    expect(result.rejections).toEqual([]);
  });

  test('a resumed remainder always queues', () => {
    const input = world({ use: { ...use, interruptible: true } }, two.slice(0, 2), {
      interrupts: [{ at: at('08:04'), target: 'A', resume_after_min: 4 }],
    });
    const result = runEpoch(input, { lock_policy: 'fail' });
    expect(result.rejections).toEqual([]);
    expect(lines(result).slice(2)).toEqual(['08:05 start B', '08:15 end B', '08:15 start A', '08:21 end A']);
  });

  test('actor_exclusive lets nobody do two things at once', () => {
    const walk = { walk: { base_duration_min: 10 } };
    const actions = [
      { id: 'A', verb: 'walk', at: '08:00' },
      { id: 'B', verb: 'walk', at: '08:00' },
      { id: 'C', verb: 'walk', at: '08:00', actor: 'Ben' },
    ];
    const result = runEpoch(world(walk, actions), { actor_exclusive: true });
    expect(lines(result).filter((line) => line.includes('start'))).toEqual([
      '08:00 start A',
      '08:00 start C',
      '08:10 start B',
    ]);
    expect(Object.keys(result.locks)).toEqual(['actor:Ann', 'actor:Ben']);
  });
});
