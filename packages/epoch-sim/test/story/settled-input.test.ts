import { describe, expect, test } from 'vitest';
import { type ActionInstance, InvalidEpoch, runEpoch } from '../../src/index.js';
import { at, lines, world } from '../support/small-world.js';

const walk = { base_duration_min: 10 };

describe('settled 4: one bad action never stops the batch', () => {
  const good = { id: 'good', verb: 'walk', at: '08:30' };

  test.each([
    { code: 'UnknownVerb', bad: { id: 'bad', verb: 'fly', at: '08:10' }, t: 10, remedy: /"bad".*"fly".*action_defs/ },
    { code: 'UnknownVerb', bad: { id: 'bad', verb: '__proto__', at: '08:10' }, t: 10, remedy: /"bad"/ },
    { code: 'UnknownVerb', bad: { id: 'bad', verb: 'constructor', at: '08:10' }, t: 10, remedy: /"bad"/ },
    { code: 'InvalidDuration', bad: { id: 'bad', verb: 'blink', at: '08:10' }, t: 10, remedy: /"bad".*>= 1/ },
    {
      code: 'InvalidDuration',
      bad: { id: 'bad', verb: 'odd', at: '08:10' },
      t: 10,
      remedy: /"bad".*low, medium or high/,
    },
    {
      code: 'InvalidTimestamp',
      bad: { id: 'bad', verb: 'walk', at: '', submitted_at: 'soon' },
      t: null,
      remedy: /"bad".*"soon".*ISO/,
    },
    { code: 'DuplicateActionId', bad: { id: 'good', verb: 'walk', at: '08:40' }, t: 40, remedy: /"good".*its own/ },
    {
      code: 'InsufficientResources',
      bad: { id: 'bad', verb: 'burn', at: '08:10' },
      t: 10,
      remedy: /"bad".*3 of "fuel".*2 is left/,
    },
    {
      code: 'InsufficientResources',
      bad: { id: 'bad', verb: 'dream', at: '08:10' },
      t: 10,
      remedy: /"bad".*"toString".*no stock/,
    },
    {
      code: 'InvalidSkill',
      bad: { id: 'bad', verb: 'walk', at: '08:10', actor: 'Bob' },
      t: 10,
      remedy: /"bad".*"walk".*0 to 3/,
    },
    {
      code: 'CannotAcquireLock',
      bad: { id: 'bad', verb: 'use', at: '08:36' },
      t: 36,
      remedy: /"bad".*"tool".*on_conflict/,
    },
    { code: 'InvalidAction', bad: { id: 7 as never, verb: 'walk', at: '08:10' }, t: null, remedy: /"7".*id/ },
  ])('$code', ({ code, bad, t, remedy }) => {
    const defs = {
      walk,
      blink: { base_duration_min: 0 },
      odd: { base_duration_min: 1, effort: 'extreme' as never },
      burn: { base_duration_min: 5, resources: [{ name: 'fuel', amount: 3 }] },
      dream: { base_duration_min: 5, resources: [{ name: 'toString', amount: 1 }] },
      use: { base_duration_min: 5, locks: ['tool'], on_conflict: 'fail' as const },
    };
    const first = { id: 'first', verb: 'use', at: '08:35' };
    const input = world(defs, [good, first, bad], { resources: { fuel: 2 }, skills: { Bob: { walk: null as never } } });
    const result = runEpoch(input);
    expect(result.rejections).toMatchObject([{ id: String(bad.id), code, t }]);
    expect(result.rejections[0]!.message).toMatch(remedy);
    expect(lines(result)).toEqual(['08:30 start good', '08:35 start first', '08:40 end good', '08:40 end first']);
  });

  test('what is no action at all is listed too', () => {
    const input = world({ walk }, [good]);
    const broken = [null, 7, 'x', [], ...input.actions_submitted] as unknown as ActionInstance[];
    const result = runEpoch({ ...input, actions_submitted: broken });
    expect(result.rejections.map(({ code }) => code)).toEqual(Array(4).fill('InvalidAction'));
    expect(lines(result)).toEqual(['08:30 start good', '08:40 end good']);
  });

  test('an id that was rejected may be used again', () => {
    const result = runEpoch(
      world({ walk }, [
        { id: 'a', verb: 'fly', at: '08:00' },
        { id: 'a', verb: 'walk', at: '08:01' },
      ]),
    );
    expect(lines(result)).toEqual(['08:01 start a', '08:11 end a']);
  });

  test('an id stays taken in later epochs', () => {
    const first = runEpoch({
      ...world({ walk }, [{ id: 'a', verb: 'walk', at: '08:00' }]),
      epoch: { index: 0, start_at: at('08:00'), end_at: at('09:00') },
    });
    const second = runEpoch({
      ...world({ walk }, [{ id: 'a', verb: 'walk', at: '09:00' }]),
      epoch: { index: 1, start_at: at('09:00'), end_at: at('10:00') },
      carry_over: first.carry_over,
    });
    expect(second.rejections).toMatchObject([{ id: 'a', code: 'DuplicateActionId', t: 0 }]);
  });

  test.each([
    ['end before start', { start_at: at('09:00'), end_at: at('08:00') }],
    ['end at start', { start_at: at('09:00'), end_at: at('09:00') }],
    ['seconds', { start_at: '2025-07-01T08:00:30', end_at: at('09:00') }],
    ['no time', { start_at: '2025-07-01', end_at: at('09:00') }],
    ['negative index', { index: -1, start_at: at('08:00'), end_at: at('09:00') }],
  ])('InvalidEpoch is thrown: %s', (_story, epoch) => {
    expect(() => runEpoch({ epoch: { index: 0, ...epoch }, action_defs: {}, actions_submitted: [] })).toThrow(
      InvalidEpoch,
    );
  });
});

describe('settled 5: time', () => {
  const start = (submitted_at: string) => {
    const result = runEpoch(world({ walk }, [{ id: 'a', verb: 'walk', at: '', submitted_at }]));
    return result.rejections[0]?.code ?? result.schedule_events[0]?.at ?? 'future';
  };

  test.each([
    ['2025-07-01T10:05:00', '2025-07-01T10:05:00.000Z'],
    ['2025-07-01T10:05', '2025-07-01T10:05:00.000Z'],
    ['2025-07-01T10:05:00Z', '2025-07-01T10:05:00.000Z'],
    ['2025-07-01T10:05:00+02:00', '2025-07-01T08:05:00.000Z'],
    ['2025-07-01T10:05:00-0130', '2025-07-01T11:35:00.000Z'],
    ['2025-07-01T10:05:01', '2025-07-01T10:06:00.000Z'],
    ['2025-07-01T10:05:00.001Z', '2025-07-01T10:06:00.000Z'],
    ['2025-07-01T10:05:00.000Z', '2025-07-01T10:05:00.000Z'],
    ['2025-07-01T10:59:59', '2025-07-01T11:00:00.000Z'],
    ['2025-07-01', 'InvalidTimestamp'],
    ['2025-07-01 10:05:00', 'InvalidTimestamp'],
    ['2025-02-30T10:05:00', 'InvalidTimestamp'],
    ['2025-07-01T24:00:00', 'InvalidTimestamp'],
    ['2025-07-01T10:60:00', 'InvalidTimestamp'],
    ['10:05', 'InvalidTimestamp'],
    ['', 'InvalidTimestamp'],
    ['2025-07-02T08:00:00', 'future'],
  ])('%s is %s', (text, wanted) => {
    expect(start(text)).toBe(wanted);
  });

  test('what was submitted before the epoch is admitted at 0, by its true time', () => {
    const defs = { use: { base_duration_min: 5, locks: ['tool'] } };
    const result = runEpoch(
      world(defs, [
        { id: 'on time', verb: 'use', at: '08:00' },
        { id: 'late', verb: 'use', at: '07:50' },
        { id: 'later', verb: 'use', at: '07:40' },
      ]),
    );
    expect(lines(result).filter((line) => line.includes('start'))).toEqual([
      '08:00 start later',
      '08:05 start late',
      '08:10 start on time',
    ]);
  });

  test('at or after the end of the epoch it is carried as future', () => {
    const input = world({ walk }, [
      { id: 'in', verb: 'walk', at: '08:59' },
      { id: 'at the end', verb: 'walk', at: '09:00' },
      { id: 'after', verb: 'walk', at: '11:00' },
    ]);
    const { carry_over } = runEpoch({ ...input, epoch: { index: 0, start_at: at('08:00'), end_at: at('09:00') } });
    expect(carry_over.future.map(({ id }) => id)).toEqual(['at the end', 'after']);
    expect(carry_over.running).toMatchObject([{ id: 'in', remaining: 9 }]);
  });

  test("the host's zone has no influence", () => {
    const before = process.env.TZ;
    try {
      const texts = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Kiritimati'].map((zone) => {
        process.env.TZ = zone;
        const input = world({ walk }, [{ id: 'a', verb: 'walk', at: '10:30' }], {
          modifiers: [{ factor: 2, from: 600, to: 660 }],
        });
        return JSON.stringify(runEpoch(input));
      });
      expect(new Set(texts).size).toBe(1);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

describe('settled 16: input errors are data', () => {
  test('broken interrupts are ignored and listed', () => {
    const interrupts = [
      { at: 'soon', target: 'a' },
      { at: at('08:05'), target: 7 as never },
      { at: at('08:05'), target: 'a', resume: 'maybe' as never },
      { at: at('08:05'), target: 'a', resume_after_min: -1 },
      null as never,
    ];
    const result = runEpoch(
      world({ walk: { ...walk, interruptible: true } }, [{ id: 'a', verb: 'walk', at: '08:00' }], { interrupts }),
    );
    expect(result.ignored_interrupts.map(({ reason }) => reason)).toEqual(Array(5).fill('invalid'));
    expect(lines(result)).toEqual(['08:00 start a', '08:10 end a']);
  });

  test('missing lists and records are empty ones', () => {
    const epoch = { index: 0, start_at: at('08:00'), end_at: at('09:00') };
    const result = runEpoch({ epoch } as never);
    expect(result).toMatchObject({
      schedule_events: [],
      locks: {},
      resources: {},
      rejections: [],
      ignored_interrupts: [],
    });
  });
});
