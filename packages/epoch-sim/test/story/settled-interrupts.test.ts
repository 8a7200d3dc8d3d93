import { describe, expect, test } from 'vitest';
import { runEpoch } from '../../src/index.js';
import { at, lines, world } from '../support/small-world.js';

const nap = { base_duration_min: 30, interruptible: true };

describe('settled 9: interrupts', () => {
  const one = [{ id: 'A', verb: 'nap', at: '08:00' }];

  test('the remainder is kept, and the resumption has the same id and the next attempt', () => {
    const interrupts = [{ at: at('08:10'), target: 'A', resume_after_min: 15, reason: 'alarm' }];
    const { schedule_events } = runEpoch(world({ nap }, one, { interrupts }));
    expect(schedule_events.map(({ type, t, meta }) => [type, t, meta])).toEqual([
      ['start', 0, { d_eff: 30, attempt: 1, waited_min: 0 }],
      ['interrupt', 10, { d_rem: 20, reason: 'alarm' }],
      ['start', 25, { d_eff: 20, attempt: 2, waited_min: 0 }],
      ['end', 45, {}],
    ]);
  });

  test.each([
    { story: 'something that does not run', interrupt: { at: at('08:40'), target: 'A' }, reason: 'not_running', t: 40 },
    { story: 'an unknown id', interrupt: { at: at('08:05'), target: 'nobody' }, reason: 'not_running', t: 5 },
    {
      story: 'a lock that nobody holds',
      interrupt: { at: at('08:05'), target: 'lock:x' },
      reason: 'not_running',
      t: 5,
    },
    { story: 'an equal priority', interrupt: { at: at('08:05'), target: 'A', priority: 0 }, reason: 'priority', t: 5 },
  ])('$story is ignored without an event', ({ interrupt, reason, t }) => {
    const result = runEpoch(world({ nap }, one, { interrupts: [interrupt] }));
    expect(result.ignored_interrupts).toEqual([{ target: interrupt.target, reason, t }]);
    expect(lines(result)).toEqual(['08:00 start A', '08:30 end A']);
  });

  test('what is not interruptible runs through, whatever the priority', () => {
    const interrupts = [{ at: at('08:05'), target: 'A', priority: 1000 }];
    const result = runEpoch(world({ nap: { base_duration_min: 30 } }, one, { interrupts }));
    expect(result.ignored_interrupts).toEqual([{ target: 'A', reason: 'not_interruptible', t: 5 }]);
    expect(lines(result)).toEqual(['08:00 start A', '08:30 end A']);
  });

  test('actor:x means all that the actor does, in the order of the starts; lock:y its holder', () => {
    const defs = { nap, use: { ...nap, locks: ['tool'] } };
    const actions = [
      { id: 'A', verb: 'nap', at: '08:00' },
      { id: 'B', verb: 'nap', at: '08:01' },
      { id: 'C', verb: 'use', at: '08:02', actor: 'Ben' },
    ];
    const interrupts = [
      { at: at('08:10'), target: 'actor:Ann', resume: 'never' as const },
      { at: at('08:11'), target: 'lock:tool', resume: 'never' as const },
    ];
    expect(lines(runEpoch(world(defs, actions, { interrupts }))).slice(3)).toEqual([
      '08:10 interrupt A',
      '08:10 interrupt B',
      '08:11 interrupt C',
    ]);
  });

  test('locks are acquired anew: whoever waited goes first', () => {
    const use = { ...nap, locks: ['tool'] };
    const actions = [
      { id: 'A', verb: 'use', at: '08:00' },
      { id: 'B', verb: 'use', at: '08:05' },
    ];
    const result = runEpoch(world({ use }, actions, { interrupts: [{ at: at('08:10'), target: 'A' }] }));
    expect(lines(result)).toEqual([
      '08:00 start A',
      '08:10 interrupt A',
      '08:10 start B',
      '08:40 end B',
      '08:40 start A',
      '09:00 end A',
    ]);
  });

  test("'never' cancels and refunds", () => {
    const cook = { ...nap, resources: [{ name: 'flour', amount: 2 }] };
    const result = runEpoch(
      world({ cook }, [{ id: 'A', verb: 'cook', at: '08:00' }], {
        resources: { flour: 5 },
        interrupts: [{ at: at('08:10'), target: 'A', resume: 'never' }],
      }),
    );
    expect(lines(result)).toEqual(['08:00 start A', '08:10 interrupt A']);
    expect(result.resources).toEqual({ flour: { stock: 5, reserved: 0 } });
    expect(result.carry_over.suspended).toEqual([]);
  });
});

describe('settled 10: priorities and preemption', () => {
  const low = { base_duration_min: 30, interruptible: true, locks: ['tool'] };
  const urgent = { base_duration_min: 5, locks: ['tool'], priority: 5, preempts: true };

  test('a preempting request evicts the holder, which goes to the tail of the queue', () => {
    const result = runEpoch(
      world({ low, urgent }, [
        { id: 'A', verb: 'low', at: '08:00' },
        { id: 'B', verb: 'low', at: '08:05' },
        { id: 'U', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result)).toEqual([
      '08:00 start A',
      '08:10 interrupt A',
      '08:10 start U',
      '08:15 end U',
      '08:15 start B',
      '08:45 end B',
      '08:45 start A',
      '09:05 end A',
    ]);
    expect(result.schedule_events[1]!.meta).toEqual({ d_rem: 20, reason: 'preempted', by: 'U' });
  });

  test('without preempts a high priority waits its turn', () => {
    const result = runEpoch(
      world({ low, urgent: { ...urgent, preempts: false } }, [
        { id: 'A', verb: 'low', at: '08:00' },
        { id: 'U', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result)).toEqual(['08:00 start A', '08:30 end A', '08:30 start U', '08:35 end U']);
  });

  test.each([
    { story: 'an equal priority', holder: { ...low, priority: 5 } },
    { story: 'a holder that is not interruptible', holder: { ...low, interruptible: false } },
  ])('$story stands in the way', ({ holder }) => {
    const result = runEpoch(
      world({ low: holder, urgent }, [
        { id: 'A', verb: 'low', at: '08:00' },
        { id: 'U', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result)).toEqual(['08:00 start A', '08:30 end A', '08:30 start U', '08:35 end U']);
  });

  test('"strictly lower" binds waiters too: an equal waiter is not overtaken', () => {
    const result = runEpoch(
      world({ low, equal: { ...low, priority: 5, interruptible: false }, urgent }, [
        { id: 'A', verb: 'low', at: '08:00' },
        { id: 'B', verb: 'equal', at: '08:05' },
        { id: 'U', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result).filter((line) => !line.includes('end'))).toEqual([
      '08:00 start A',
      '08:30 start B',
      '09:00 start U',
    ]);
  });

  test('all of its locks or none: nobody is evicted in vain', () => {
    const result = runEpoch(
      world(
        { low, rock: { base_duration_min: 30, locks: ['bench'] }, urgent: { ...urgent, locks: ['tool', 'bench'] } },
        [
          { id: 'A', verb: 'low', at: '08:00' },
          { id: 'R', verb: 'rock', at: '08:05' },
          { id: 'U', verb: 'urgent', at: '08:10' },
        ],
      ),
    );
    expect(lines(result)).toEqual([
      '08:00 start A',
      '08:05 start R',
      '08:30 end A',
      '08:35 end R',
      '08:35 start U',
      '08:40 end U',
    ]);
  });

  test('several victims are interrupted in the order they started', () => {
    const defs = { low, other: { ...low, locks: ['bench'] }, urgent: { ...urgent, locks: ['bench', 'tool'] } };
    const result = runEpoch(
      world(defs, [
        { id: 'B', verb: 'other', at: '08:00' },
        { id: 'A', verb: 'low', at: '08:01' },
        { id: 'U', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result).slice(2, 5)).toEqual(['08:10 interrupt B', '08:10 interrupt A', '08:10 start U']);
  });

  test('preemptors act by priority descending, then by request order', () => {
    const result = runEpoch(
      world({ low, urgent }, [
        { id: 'A', verb: 'low', at: '08:00' },
        { id: 'U1', verb: 'urgent', at: '08:10' },
        { id: 'U2', verb: 'urgent', at: '08:10', priority: 9 },
        { id: 'U3', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result).filter((line) => line.includes('start U'))).toEqual([
      '08:10 start U2',
      '08:15 start U1',
      '08:20 start U3',
    ]);
  });

  test('preemptors of equal priority evict in the order of their requests', () => {
    const other = { locks: ['other'] };
    const result = runEpoch(
      world({ low, urgent, lowOther: { ...low, ...other }, urgentOther: { ...urgent, ...other } }, [
        { id: 'A', verb: 'low', at: '08:00' },
        { id: 'B', verb: 'lowOther', at: '08:00' },
        { id: 'U1', verb: 'urgentOther', at: '08:10' },
        { id: 'U2', verb: 'urgent', at: '08:10' },
      ]),
    );
    expect(lines(result).slice(2, 6)).toEqual([
      '08:10 interrupt B',
      '08:10 interrupt A',
      '08:10 start U1',
      '08:10 start U2',
    ]);
  });

  test('a resumed preemptor preempts again', () => {
    const defs = { low, urgent: { ...urgent, base_duration_min: 10, interruptible: true } };
    const result = runEpoch(
      world(
        defs,
        [
          { id: 'A', verb: 'low', at: '08:00' },
          { id: 'U', verb: 'urgent', at: '08:05' },
        ],
        { interrupts: [{ at: at('08:10'), target: 'U', priority: 9, resume_after_min: 5 }] },
      ),
    );
    expect(lines(result)).toEqual([
      '08:00 start A',
      '08:05 interrupt A',
      '08:05 start U',
      '08:10 interrupt U',
      '08:10 start A',
      '08:15 interrupt A',
      '08:15 start U',
      '08:20 end U',
      '08:20 start A',
      '08:40 end A',
    ]);
  });
});

describe('settled 11: resources', () => {
  const cook = { base_duration_min: 10, interruptible: true, resources: [{ name: 'flour', amount: 2 }] };
  const dig = { base_duration_min: 10, resources: [{ name: 'spade', amount: 1, mode: 'return' as const }] };

  test('are reserved at submission and settled at the end', () => {
    const input = world(
      { cook, dig },
      [
        { id: 'A', verb: 'cook', at: '08:00' },
        { id: 'B', verb: 'dig', at: '08:00' },
      ],
      {
        resources: { flour: 5, spade: { stock: 1 } },
      },
    );
    const early = runEpoch({ ...input, epoch: { index: 0, start_at: at('08:00'), end_at: at('08:05') } });
    expect(early.resources).toEqual({ flour: { stock: 5, reserved: 2 }, spade: { stock: 1, reserved: 1 } });
    expect(runEpoch(input).resources).toEqual({ flour: { stock: 3, reserved: 0 }, spade: { stock: 1, reserved: 0 } });
  });

  test('what is reserved cannot be promised twice, and decimal amounts add up', () => {
    const sip = { base_duration_min: 10, resources: [{ name: 'tea', amount: 0.1 }] };
    const actions = ['A', 'B', 'C', 'D'].map((id) => ({ id, verb: 'sip', at: '08:00' }));
    const result = runEpoch(world({ sip }, actions, { resources: { tea: 0.3 } }));
    expect(result.rejections).toMatchObject([{ id: 'D', code: 'InsufficientResources' }]);
    expect(result.resources).toEqual({ tea: { stock: 0, reserved: 0 } });
  });

  test('are kept over interrupts and never consumed twice', () => {
    const result = runEpoch(
      world({ cook }, [{ id: 'A', verb: 'cook', at: '08:00' }], {
        resources: { flour: 2 },
        interrupts: [
          { at: at('08:02'), target: 'A' },
          { at: at('08:04'), target: 'A', resume_after_min: 3 },
        ],
      }),
    );
    expect(result.schedule_events.at(-1)).toMatchObject({ type: 'end', t: 13 });
    expect(result.resources).toEqual({ flour: { stock: 0, reserved: 0 } });
  });

  test('with a carry-over stocks come from it; the next input adds only names it does not know', () => {
    const input = world({ cook }, [{ id: 'A', verb: 'cook', at: '08:00' }], { resources: { flour: 5 } });
    const first = runEpoch({ ...input, epoch: { index: 0, start_at: at('08:00'), end_at: at('08:05') } });
    const second = runEpoch({
      ...input,
      actions_submitted: [],
      epoch: { index: 1, start_at: at('08:05'), end_at: at('09:00') },
      resources: { flour: 100, salt: 1 },
      carry_over: first.carry_over,
    });
    expect(second.resources).toEqual({ flour: { stock: 3, reserved: 0 }, salt: { stock: 1, reserved: 0 } });
  });
});
