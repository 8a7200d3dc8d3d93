import { describe, expect, test } from 'vitest';
import {
  type ActionDef,
  createSimulation,
  type Distribution,
  type EpochInput,
  type Hooks,
  InvalidEpoch,
  loadScenario,
  runEpoch,
  runEpochs,
} from '../../src/index.js';
import { draw } from '../../src/interchange/distribution.js';

const epoch = { index: 0, start_at: '2025-07-01T08:00:00', end_at: 600 };
const world = (action_defs: Record<string, ActionDef>, more: Partial<EpochInput>): EpochInput => ({
  epoch,
  action_defs,
  actions_submitted: [],
  ...more,
});
const lines = (input: EpochInput, options = {}): string[] =>
  runEpoch(input, options).schedule_events.map(({ type, action_id, t }) => `${t} ${type} ${action_id}`);

describe('3: durations and arrivals', () => {
  test.each<[Distribution, number, number]>([
    [{ kind: 'uniform', min: 2, max: 6 }, 4, 16 / 12],
    [{ kind: 'exponential', mean: 5 }, 5, 25],
    [{ kind: 'normal', mean: 10, sd: 3 }, 10, 9],
    [{ kind: 'lognormal', mu: 1, sigma: 0.5 }, Math.exp(1.125), (Math.exp(0.25) - 1) * Math.exp(2.25)],
    [{ kind: 'triangular', min: 1, mode: 2, max: 6 }, 3, 21 / 18],
    [{ kind: 'gamma', shape: 2.5, scale: 2 }, 5, 10],
    [{ kind: 'gamma', shape: 0.5, scale: 4 }, 2, 8],
    [{ kind: 'weibull', shape: 2, scale: 3 }, 3 * 0.886227, 9 * (1 - 0.886227 ** 2)],
    [{ kind: 'empirical', values: [1, 10], weights: [3, 1] }, 3.25, 0.1875 * 81],
    [{ kind: 'fixed', value: 7 }, 7, 0],
  ])('%j has its mean and variance', (law, mean, variance) => {
    const values = Array.from({ length: 20_000 }, (_, i) => draw(law, 'duration', 1, `id${i}`, 1));
    const found = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread = values.reduce((sum, value) => sum + (value - found) ** 2, 0) / values.length;
    expect(Math.abs(found - mean)).toBeLessThan(0.03 * mean);
    expect(Math.abs(spread - variance)).toBeLessThan(0.08 * variance + 1e-9);
  });

  test('a draw is keyed by seed and id alone: another action or another order changes nobody else', () => {
    const law = { kind: 'exponential', mean: 20 } as const;
    const walk: ActionDef = { base_duration_min: law };
    const of = (ids: string[], seed = 0) =>
      new Map(
        runEpoch(
          world({ walk }, { actions_submitted: ids.map((id) => ({ id, actor: 'a', verb: 'walk', submitted_at: 0 })) }),
          { seed },
        ).schedule_events.flatMap(({ type, action_id, meta }) => (type === 'start' ? [[action_id, meta.d_eff]] : [])),
      );
    const [some, more] = [of(['A', 'B']), of(['C', 'B', 'A'])];
    expect(some.get('A')).toBe(more.get('A'));
    expect(some.get('B')).toBe(more.get('B'));
    expect(of(['A', 'B', 'C', 'D'], 1)).not.toEqual(of(['A', 'B', 'C', 'D'], 2));
  });

  test('duration_min stands in the place of the base; effort counts on top; bad ones are InvalidDuration', () => {
    const hard: ActionDef = { base_duration_min: 5, effort: 'high' };
    const given = (id: string, duration_min: unknown) => ({
      id,
      actor: id,
      verb: 'hard',
      submitted_at: 0,
      duration_min: duration_min as number,
    });
    const laws = [
      { kind: 'exponential', mean: 0 },
      { kind: 'uniform', min: 3, max: 1 },
      { kind: 'odd' },
      { kind: 'empirical', values: [] },
    ];
    const result = runEpoch(
      world(
        { hard },
        {
          actions_submitted: [
            given('A', 20),
            given('B', { kind: 'fixed', value: 0.2 }),
            given('C', 0),
            ...laws.map((law, i) => given(`L${i}`, law)),
          ],
        },
      ),
    );
    expect(result.schedule_events.slice(0, 2).map(({ meta }) => meta.d_eff)).toEqual([22, 2]);
    expect(result.rejections.map(({ code }) => code)).toEqual(Array(5).fill('InvalidDuration'));
  });

  test('arrival n is at from plus the rounded sum of n gaps, before `to`, with the actor of its id', () => {
    const arrivals = [
      { verb: 'walk', every: { kind: 'fixed', value: 2.5 } as const, from: 10, to: 20, id: 'ship-{n}' },
    ];
    const result = runEpoch(world({ walk: { base_duration_min: 1 } }, { arrivals }));
    const starts = result.schedule_events.filter(({ type }) => type === 'start');
    expect(starts.map(({ action_id, t }) => `${t} ${action_id}`)).toEqual(['13 ship-1', '15 ship-2', '18 ship-3']);
  });

  test('a cron text is a source too, in UTC, and sources go on through later epochs', () => {
    const arrivals = [{ verb: 'walk', every: '15 * * * *', id: 'at-{n}' }];
    const input = world({ walk: { base_duration_min: 1 } }, { arrivals, epoch: { ...epoch, end_at: 60 } });
    const starts = runEpochs(input, 3).flatMap(({ schedule_events }) =>
      schedule_events.filter(({ type }) => type === 'start'),
    );
    expect(starts.map(({ action_id, at }) => `${at.slice(11, 16)} ${action_id}`)).toEqual([
      '08:15 at-1',
      '09:15 at-2',
      '10:15 at-3',
    ]);
  });

  test('a cron text may have steps and names, as in a crontab; a bad one is refused with its reason', () => {
    const minutes = (every: string) =>
      runEpoch(world({ walk: { base_duration_min: 1 } }, { arrivals: [{ verb: 'walk', every, id: '{n}', to: 60 }] }))
        .schedule_events.filter(({ type }) => type === 'start')
        .map(({ t }) => t);
    expect(minutes('*/20 8 * * tue')).toEqual([0, 20, 40]);
    expect(() => minutes('61 * * * *')).toThrow(/InvalidEpoch: arrivals\[0\]\.every is "61 \* \* \* \*"; .*minute/);
    const scenario = { epoch, action_defs: {}, actions_submitted: [] };
    const load = (every: string) => loadScenario({ ...scenario, arrivals: [{ verb: 'walk', every, id: '{n}' }] });
    expect(load('@hourly').arrivals).toHaveLength(1);
    expect(() => load('61 * * * *')).toThrow(/arrivals\[0\]\.every: expected a distribution.* or a cron expression/);
  });

  test('bad arrivals and outages are InvalidEpoch', () => {
    const walk: ActionDef = { base_duration_min: 1 };
    const good = { verb: 'walk', every: { kind: 'fixed', value: 1 }, id: 'x{n}' };
    for (const bad of [
      { id: 'x' },
      { every: 'never' },
      { every: { kind: 'fixed', value: 0 } },
      { from: 0.5 },
      { count: -1 },
      { patience_min: 0 },
    ])
      expect(
        () => runEpoch(world({ walk }, { arrivals: [{ ...good, ...bad } as never] })),
        JSON.stringify(bad),
      ).toThrow(InvalidEpoch);
    const outage = { lock: 'a', at: 5, repair: 3 };
    for (const bad of [
      { at: undefined },
      { every: { kind: 'fixed', value: 1 } },
      { repair: 0 },
      { repair: { verb: 'no' } },
      { policy: 'odd' },
      { lock: 7 },
    ])
      expect(
        () => runEpoch(world({ walk }, { outages: [{ ...outage, ...bad } as never] })),
        JSON.stringify(bad),
      ).toThrow(InvalidEpoch);
  });
});

describe('5: breakdowns', () => {
  const work: ActionDef = { base_duration_min: 20, locks: ['mill'], interruptible: true };
  const firm: ActionDef = { ...work, interruptible: false };
  const one = (verb: string) => [
    { id: 'A', actor: 'A', verb, submitted_at: 0 },
    { id: 'B', actor: 'B', verb, submitted_at: 1 },
  ];

  test('interruptible holders are interrupted and ask again at once; waiters wait until the lock is restored', () => {
    const result = runEpoch(
      world({ work }, { actions_submitted: one('work'), outages: [{ lock: 'mill', at: 5, repair: 10 }] }),
    );
    expect(result.schedule_events.map(({ type, action_id, t }) => `${t} ${type} ${action_id}`)).toEqual([
      ...['0 start A', '5 outage lock:mill', '5 interrupt A', '15 restore lock:mill'],
      ...['15 start B', '35 end B', '35 start A', '50 end A'],
    ]);
    expect(result.schedule_events[2]!.meta).toEqual({ d_rem: 15, reason: 'outage' });
  });

  test('others run to their end, and so do all with the policy finish', () => {
    for (const input of [
      world({ firm }, { actions_submitted: one('firm'), outages: [{ lock: 'mill', at: 5, repair: 30 }] }),
      world(
        { firm: work },
        { actions_submitted: one('firm'), outages: [{ lock: 'mill', at: 5, repair: 30, policy: 'finish' }] },
      ),
    ])
      expect(lines(input)).toEqual([
        '0 start A',
        '5 outage lock:mill',
        '20 end A',
        '35 restore lock:mill',
        '35 start B',
        '55 end B',
      ]);
  });

  test('a repair by verb is an action of its own that needs locks; an outage of a lock that is down is nothing', () => {
    const fix: ActionDef = { base_duration_min: 10, locks: ['mill'] };
    const busy: ActionDef = { base_duration_min: 12, locks: ['crew'] };
    const outages = [
      { lock: 'mill', at: 5, repair: { verb: 'fix', locks: ['crew'] } },
      { lock: 'mill', at: 9, repair: 1 },
    ];
    const actions_submitted = [{ id: 'C', actor: 'C', verb: 'busy', submitted_at: 0 }];
    expect(lines(world({ fix, busy }, { actions_submitted, outages }))).toEqual([
      ...[
        '0 start C',
        '5 outage lock:mill',
        '12 end C',
        '12 start repair:mill:1',
        '22 end repair:mill:1',
        '22 restore lock:mill',
      ],
    ]);
  });

  test('every counts from the end of the repair', () => {
    const outages = [{ lock: 'mill', every: { kind: 'fixed', value: 10 } as const, repair: 5 }];
    expect(lines(world({ work }, { outages, epoch: { ...epoch, end_at: 45 } }))).toEqual([
      ...['10 outage lock:mill', '15 restore lock:mill', '25 outage lock:mill', '30 restore lock:mill'],
      ...['40 outage lock:mill', '45 restore lock:mill'],
    ]);
  });
});

describe('6: hooks', () => {
  const use: ActionDef = { base_duration_min: 10, locks: ['tool'], interruptible: true };
  const actions_submitted = [
    { id: 'A', actor: 'Ann', verb: 'use', submitted_at: 0, params: { x: 1 } },
    { id: 'B', actor: 'Ben', verb: 'use', submitted_at: 0, patience_min: 4 },
    { id: 'C', actor: 'Cleo', verb: 'fly', submitted_at: 1 },
  ];
  const input = world(
    { use },
    { actions_submitted, interrupts: [{ at: 2, target: 'A', reason: 'alarm', resume_after_min: 5 }] },
  );

  test('each is told what happened, and sees the state after it', () => {
    const told: unknown[] = [];
    const note = (name: string) => (given: object, view: { running: string[] }) => {
      told.push({ name, ...given, running: view.running });
      return undefined;
    };
    const names = ['onStart', 'onEnd', 'onInterrupt', 'onReject', 'onCancel'];
    runEpoch(input, Object.fromEntries(names.map((name) => [name, note(name)])));
    const ann = { action_id: 'A', actor: 'Ann', verb: 'use', params: { x: 1 } };
    const ben = { action_id: 'B', actor: 'Ben', verb: 'use', params: undefined };
    expect(told).toEqual([
      { name: 'onStart', ...ann, t: 0, attempt: 1, d_eff: 10, running: ['A'] },
      {
        name: 'onReject',
        action_id: 'C',
        actor: 'Cleo',
        verb: 'fly',
        params: undefined,
        t: 1,
        code: 'UnknownVerb',
        running: ['A'],
      },
      { name: 'onInterrupt', ...ann, t: 2, attempt: 1, d_rem: 8, reason: 'alarm', running: [] },
      { name: 'onStart', ...ben, t: 2, attempt: 1, d_eff: 10, running: ['B'] },
      { name: 'onEnd', ...ben, t: 12, running: [] },
      { name: 'onStart', ...ann, t: 12, attempt: 2, d_eff: 8, running: ['A'] },
      { name: 'onEnd', ...ann, t: 20, running: [] },
    ]);
  });

  test('onCancel is told the reason; what follows a start, a rejection or a cancel is a minute later at the earliest', () => {
    const seen: string[] = [];
    const hooks: Hooks = {
      onCancel: ({ action_id, reason, t }) => {
        seen.push(`${t} ${action_id} ${reason}`);
        return [{ type: 'submit', action: { id: 'after-cancel', actor: 'x', verb: 'walk' } }];
      },
      onReject: () => [{ type: 'submit', action: { id: 'after-reject', actor: 'x', verb: 'walk' } }],
      onStart: ({ action_id }) => (action_id === 'A' ? [{ type: 'cancel', target: 'B', reason: 'crowded' }] : []),
    };
    const plain = { ...world({ use, walk: { base_duration_min: 1 } }, { actions_submitted }) };
    const result = lines(plain, hooks);
    expect(seen).toEqual(['1 B crowded']);
    expect(result).toContain('2 start after-cancel');
    expect(result).toContain('2 start after-reject');
  });

  test('they are given to a restored simulation again', () => {
    const hooks: Hooks = { onStart: () => [{ type: 'visibility_change', after_min: 2 }] };
    const straight = createSimulation(input, hooks).runUntil(100);
    expect(straight.events().filter(({ type }) => type === 'visibility_change')).toHaveLength(3);
  });
});
