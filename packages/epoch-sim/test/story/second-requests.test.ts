import { describe, expect, test } from 'vitest';
import {
  type ActionDef,
  type ActionInstance,
  createSimulation,
  type EpochInput,
  InvalidEpoch,
  runEpoch,
  runEpochs,
} from '../../src/index.js';

type Given = Partial<ActionInstance> & { id: string; verb: string; submitted_at: number };
const epoch = { index: 0, start_at: '2025-07-01T08:00:00', end_at: 600 };
const world = (
  action_defs: Record<string, ActionDef>,
  actions: Given[],
  more: Partial<EpochInput> = {},
): EpochInput => ({
  epoch,
  action_defs,
  actions_submitted: actions.map((action) => ({ actor: action.id, ...action })),
  ...more,
});
const lines = (input: EpochInput, options = {}): string[] =>
  runEpoch(input, options).schedule_events.map(({ type, action_id, t }) => `${t} ${type} ${action_id}`);
const codes = (input: EpochInput, options = {}) =>
  runEpoch(input, options).rejections.map(({ id, code }) => `${id} ${code}`);

describe('1: capacity', () => {
  const use: ActionDef = { base_duration_min: 10, locks: ['crane'] };
  const both: ActionDef = { base_duration_min: 10, locks: [{ name: 'crane', units: 2 }] };
  const lock_defs = { crane: { capacity: 2 } };

  test('two units serve two at a time, and nobody overtakes who asks for both', () => {
    const actions: Given[] = [
      { id: 'A', verb: 'use', submitted_at: 0 },
      { id: 'B', verb: 'both', submitted_at: 1 },
      { id: 'C', verb: 'use', submitted_at: 2 },
    ];
    expect(lines(world({ use, both }, actions, { lock_defs }))).toEqual([
      ...['0 start A', '10 end A', '10 start B', '20 end B', '20 start C', '30 end C'],
    ]);
  });

  test('the state of a lock with several units lists its holders in the order of their starts', () => {
    const actions = ['A', 'B', 'C'].map((id) => ({ id, verb: 'use', submitted_at: 0 }));
    const { locks } = createSimulation(world({ use }, actions, { lock_defs }))
      .runUntil(5)
      .result();
    expect(locks.crane).toEqual({ held_by: 'A', queue: ['C'], holders: ['A', 'B'] });
  });

  test('preempts with capacity: the lowest priority goes first, then the latest started, and they ask again in that order', () => {
    const held: ActionDef = { ...use, interruptible: true, base_duration_min: 30 };
    const urgent: ActionDef = {
      base_duration_min: 5,
      locks: [{ name: 'crane', units: 3 }],
      preempts: true,
      priority: 9,
    };
    const actions: Given[] = [
      { id: 'A', verb: 'held', submitted_at: 0 },
      { id: 'B', verb: 'held', submitted_at: 1, priority: 2 },
      { id: 'C', verb: 'held', submitted_at: 2 },
      { id: 'U', verb: 'urgent', submitted_at: 10 },
    ];
    const given = world({ held, urgent }, actions, { lock_defs: { crane: { capacity: 3 } } });
    expect(lines(given).slice(3, 10)).toEqual([
      ...['10 interrupt C', '10 interrupt A', '10 interrupt B', '10 start U'],
      ...['15 end U', '15 start C', '15 start A'],
    ]);
  });

  test('more units than there are is CannotAcquireLock, two orders in one request InvalidAction', () => {
    const actions: Given[] = [{ id: 'A', verb: 'both', submitted_at: 0 }];
    expect(codes(world({ both }, actions))).toEqual(['A CannotAcquireLock']);
    const mixed: ActionDef = { base_duration_min: 1, locks: ['crane', 'slow'] };
    const orders = { slow: { order: 'priority' as const } };
    expect(codes(world({ mixed }, [{ id: 'A', verb: 'mixed', submitted_at: 0 }], { lock_defs: orders }))).toEqual([
      'A InvalidAction',
    ]);
  });

  test('priority lets the higher one stand before, then the earlier request', () => {
    const actions: Given[] = ['A', 'B', 'C', 'D'].map((id, i) => ({
      id,
      verb: 'use',
      submitted_at: i,
      priority: i === 2 ? 1 : 0,
    }));
    const orders = { crane: { order: 'priority' as const } };
    expect(lines(world({ use }, actions, { lock_defs: orders })).filter((line) => line.includes('start'))).toEqual([
      ...['0 start A', '10 start C', '20 start B', '30 start D'],
    ]);
  });

  test('definitions of locks that cannot be are InvalidEpoch', () => {
    for (const def of [{ capacity: 0 }, { capacity: 1.5 }, { order: 'lifo' }, null])
      expect(() => runEpoch(world({ use }, [], { lock_defs: { crane: def as never } }))).toThrow(InvalidEpoch);
    const orders = { crane: { order: 'priority' as const } };
    expect(() => runEpoch(world({ use }, [], { lock_defs: orders }), { actor_exclusive: true })).toThrow(
      /actor_exclusive/,
    );
  });

  test('a preemptor evicts the lowest priority first, then the latest started, until its units are free', () => {
    const soft: ActionDef = { base_duration_min: 50, locks: ['crane'], interruptible: true };
    const hard: ActionDef = { base_duration_min: 5, locks: [{ name: 'crane', units: 2 }], priority: 9, preempts: true };
    const actions: Given[] = [
      { id: 'A', verb: 'soft', submitted_at: 0 },
      { id: 'B', verb: 'soft', submitted_at: 1, priority: 1 },
      { id: 'C', verb: 'soft', submitted_at: 2 },
      { id: 'X', verb: 'hard', submitted_at: 10 },
    ];
    const three = { crane: { capacity: 3 } };
    expect(lines(world({ soft, hard }, actions, { lock_defs: three })).slice(3, 6)).toEqual([
      ...['10 interrupt C', '10 interrupt A', '10 start X'],
    ]);
  });
});

describe('2: leaving the queue', () => {
  const use: ActionDef = { base_duration_min: 10, locks: ['tool'], resources: [{ name: 'fuel', amount: 1 }] };
  const resources = { fuel: 5 };

  test('asked at t with a patience of p it may start until t + p - 1 and leaves at t + p; its reservation is refunded', () => {
    const actions: Given[] = [
      { id: 'A', verb: 'use', submitted_at: 0 },
      { id: 'B', verb: 'use', submitted_at: 0, patience_min: 10 },
      { id: 'C', verb: 'use', submitted_at: 0, patience_min: 11 },
    ];
    const result = runEpoch(world({ use }, actions, { resources }));
    expect(result.schedule_events.map(({ type, action_id, t }) => `${t} ${type} ${action_id}`)).toEqual([
      ...['0 start A', '10 end A', '10 cancel B', '10 start C', '20 end C'],
    ]);
    expect(result.schedule_events[2]!.meta).toEqual({ reason: 'patience' });
    expect(result.resources.fuel).toEqual({ stock: 3, reserved: 0 });
  });

  test('cancellations reach waiting, suspended and running interruptible actions, and say what is left', () => {
    const soft: ActionDef = { ...use, interruptible: true };
    const actions: Given[] = ['A', 'B'].map((id) => ({ id, verb: 'soft', submitted_at: 0 }));
    const cancellations = [
      { at: 4, target: 'A', reason: 'called off' },
      { at: 4, target: 'B' },
      { at: 5, target: 'nobody' },
    ];
    const result = runEpoch(world({ soft }, actions, { resources, cancellations }));
    expect(
      result.schedule_events.slice(1).map(({ type, action_id, t, meta }) => ({ type, action_id, t, meta })),
    ).toEqual([
      { type: 'cancel', action_id: 'A', t: 4, meta: { reason: 'called off', d_rem: 6 } },
      { type: 'cancel', action_id: 'B', t: 4, meta: { reason: 'cancelled' } },
    ]);
    expect(result.ignored_interrupts).toEqual([{ target: 'nobody', reason: 'not_running', t: 5 }]);
    expect(result.resources.fuel).toEqual({ stock: 5, reserved: 0 });
    const hard = runEpoch(world({ use }, [{ id: 'A', verb: 'use', submitted_at: 0 }], { resources, cancellations }));
    expect(hard.ignored_interrupts[0]).toEqual({ target: 'A', reason: 'not_interruptible', t: 4 });
  });

  test('simulation.cancel acts in the next minute', () => {
    const simulation = createSimulation(
      world({ use: { ...use, interruptible: true } }, [{ id: 'A', verb: 'use', submitted_at: 0 }], { resources }),
    );
    simulation.runUntil(3).cancel('A', 'enough').runUntil(10);
    expect(simulation.events().at(-1)).toMatchObject({ type: 'cancel', t: 4, meta: { reason: 'enough', d_rem: 6 } });
  });
});

describe('4: levels', () => {
  const fill: ActionDef = { base_duration_min: 20, resources: [{ name: 'fuel', amount: 30, mode: 'produce' }] };
  const take: ActionDef = { base_duration_min: 5, on_shortage: 'wait', resources: [{ name: 'fuel', amount: 10 }] };
  const small: ActionDef = { ...take, resources: [{ name: 'fuel', amount: 1 }] };

  test('a waiter stands in line for a resource, first come first served, and what is beyond the maximum is lost', () => {
    const actions: Given[] = [
      { id: 'fill', verb: 'fill', submitted_at: 0 },
      { id: 'A', verb: 'take', submitted_at: 1 },
      { id: 'B', verb: 'small', submitted_at: 2 },
    ];
    const result = runEpoch(world({ fill, take, small }, actions, { resources: { fuel: { stock: 5, max: 25 } } }));
    expect(result.schedule_events.map(({ type, action_id, t }) => `${t} ${type} ${action_id}`)).toEqual([
      ...['0 start fill', '20 end fill', '20 start A', '20 start B', '25 end A', '25 end B'],
    ]);
    expect(result.resources.fuel).toEqual({ stock: 14, reserved: 0, max: 25 });
  });

  test('what an action has reserved stays with it over an interrupt, and it does not stand in line for it again', () => {
    const soft: ActionDef = { ...take, interruptible: true, locks: ['pump'] };
    const actions: Given[] = [
      { id: 'A', verb: 'soft', submitted_at: 0 },
      { id: 'B', verb: 'take', submitted_at: 1 },
    ];
    const interrupts = [{ at: 2, target: 'A', resume_after_min: 3 }];
    expect(lines(world({ soft, take }, actions, { resources: { fuel: 10 }, interrupts }))).toEqual([
      ...['0 start A', '2 interrupt A', '5 start A', '8 end A'],
    ]);
  });

  test('an amount below zero or not finite is InvalidAction that names amount', () => {
    for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const bad: ActionDef = { base_duration_min: 1, resources: [{ name: 'fuel', amount }] };
      const { rejections } = runEpoch(
        world({ bad }, [{ id: 'A', verb: 'bad', submitted_at: 0 }], { resources: { fuel: 1 } }),
      );
      expect(rejections).toMatchObject([{ code: 'InvalidAction', message: expect.stringContaining('amount') }]);
    }
  });
});

describe('6: after', () => {
  const walk: ActionDef = { base_duration_min: 10, interruptible: true };

  test('asks when the last of them has ended, in the same minute, at its place in the list', () => {
    const one: ActionDef = { ...walk, locks: ['door'] };
    const actions: Given[] = [
      { id: 'A', verb: 'walk', submitted_at: 0 },
      { id: 'X', verb: 'one', submitted_at: 0, after: ['A', 'B'] },
      { id: 'B', verb: 'walk', submitted_at: 5 },
      { id: 'Y', verb: 'one', submitted_at: 15 },
    ];
    expect(lines(world({ walk, one }, actions)).filter((line) => /[XY]/.test(line))).toEqual([
      ...['15 start X', '25 end X', '25 start Y', '35 end Y'],
    ]);
  });

  test('an unknown, rejected or cancelled predecessor and a cycle are UnmetDependency, and so is who comes after', () => {
    const actions: Given[] = [
      { id: 'A', verb: 'walk', submitted_at: 0, after: ['nobody'] },
      { id: 'B', verb: 'walk', submitted_at: 0, after: ['bad'] },
      { id: 'bad', verb: 'fly', submitted_at: 5 },
      { id: 'C', verb: 'walk', submitted_at: 0, after: ['D'] },
      { id: 'D', verb: 'walk', submitted_at: 0, after: ['C'] },
      { id: 'E', verb: 'walk', submitted_at: 0, after: ['F'] },
      { id: 'F', verb: 'walk', submitted_at: 0 },
      { id: 'G', verb: 'walk', submitted_at: 0, after: ['E'] },
    ];
    const { rejections } = runEpoch(world({ walk }, actions, { cancellations: [{ at: 3, target: 'F' }] }));
    expect(rejections.map(({ id, code, t }) => `${t} ${id} ${code}`)).toEqual([
      '0 A UnmetDependency',
      '0 C UnmetDependency',
      '0 D UnmetDependency',
      '3 E UnmetDependency',
      '3 G UnmetDependency',
      '5 bad UnknownVerb',
      '5 B UnmetDependency',
    ]);
  });
});

describe('9 and 11: in, and repairs', () => {
  test('moments may be whole minutes from the start; a fraction is InvalidTimestamp', () => {
    const walk: ActionDef = { base_duration_min: 10 };
    const actions: Given[] = [
      { id: 'A', verb: 'walk', submitted_at: -5 },
      { id: 'B', verb: 'walk', submitted_at: 7 },
      { id: 'C', verb: 'walk', submitted_at: 0.5 },
    ];
    expect(lines(world({ walk }, actions))).toEqual(['0 start A', '7 start B', '10 end A', '17 end B']);
    expect(codes(world({ walk }, actions))).toEqual(['C InvalidTimestamp']);
  });

  test.each([
    ['epoch.end_at', { epoch: { ...epoch, end_at: 1.5 } }],
    ['arrivals[0].from', { arrivals: [{ verb: 'walk', every: '* * * * *', id: '{n}', from: 0.5 }] }],
    ['arrivals[0].to', { arrivals: [{ verb: 'walk', every: '* * * * *', id: '{n}', to: Number.NaN }] }],
    ['outages[0].at', { outages: [{ lock: 'x', at: 2.5, repair: 1 }] }],
  ])('a fraction as %s is thrown as InvalidTimestamp, which is an InvalidEpoch', (field, more) => {
    const input = world({ walk: { base_duration_min: 1 } }, [], more as Partial<EpochInput>);
    expect(() => runEpoch(input)).toThrow(InvalidEpoch);
    expect(() => runEpoch(input)).toThrow(expect.objectContaining({ code: 'InvalidTimestamp' }));
    expect(() => runEpoch(input)).toThrow(field);
  });

  test('a fraction as the time of an interrupt or a cancellation is noted as InvalidTimestamp', () => {
    const at = { at: 0.5, target: 'A' };
    const { ignored_interrupts } = runEpoch(world({}, [], { interrupts: [at], cancellations: [at] }));
    const noted = { target: 'A', reason: 'InvalidTimestamp', t: null };
    expect(ignored_interrupts).toEqual([noted, noted]);
  });

  test('an unknown field of a lock is refused by its name', () => {
    const lock_defs = { crane: { capacty: 2 } } as never;
    expect(() => runEpoch(world({}, [], { lock_defs }))).toThrow(
      'InvalidEpoch: lock_defs.crane.capacty is 2; give capacity and order alone',
    );
  });

  test('the carry-over brings the definitions that follow-ups may need', () => {
    const input = world({ walk: { base_duration_min: 90 }, rest: { base_duration_min: 5 } }, [
      { id: 'A', verb: 'walk', submitted_at: 0 },
    ]);
    const onEnd = ({ verb }: { verb: string }) =>
      verb === 'walk' ? [{ type: 'submit' as const, action: { id: 'R', actor: 'A', verb: 'rest' } }] : undefined;
    const short = { ...epoch, end_at: 60 };
    const first = runEpoch({ ...input, epoch: short }, { onEnd });
    const next = { index: 1, start_at: '2025-07-01T09:00:00', end_at: 60 };
    const second = runEpoch(
      { epoch: next, action_defs: {}, actions_submitted: [], carry_over: first.carry_over },
      { onEnd },
    );
    expect(second.rejections).toEqual([]);
    expect(second.schedule_events.at(-1)).toMatchObject({ type: 'end', action_id: 'R', t: 35 });
    expect(runEpochs({ ...input, epoch: short }, 2, { onEnd })[1]!.schedule_events).toHaveLength(3);
  });
});
