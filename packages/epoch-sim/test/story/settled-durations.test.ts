import { describe, expect, test } from 'vitest';
import {
  audioFileName,
  effectiveDuration,
  InvalidChannel,
  InvalidDuration,
  InvalidEpoch,
  InvalidModifier,
  InvalidSkill,
  runEpoch,
  runEpochs,
} from '../../src/index.js';
import { at, lines, world } from '../support/small-world.js';

describe('settled 1: durations are exact', () => {
  test.each([
    { base: 50, effort: 'high', level: 1, modifiers: [], minutes: 55 },
    { base: 45, effort: 'high', level: 1, modifiers: [], minutes: 50 },
    { base: 5, effort: 'low', level: 1, modifiers: [], minutes: 5 },
    { base: 1, effort: 'low', level: 3, modifiers: [0.1], minutes: 1 },
    { base: 100, effort: 'medium', level: 0, modifiers: [], minutes: 125 },
    { base: 10, effort: 'medium', level: 2, modifiers: [], minutes: 9 },
    { base: 10, effort: 'medium', level: 1, modifiers: [1.1, 1.1], minutes: 13 },
    { base: 10, effort: 'medium', level: 1, modifiers: [1.1], minutes: 11 },
    { base: 3, effort: 'medium', level: 1, modifiers: [1e-7], minutes: 1 },
    { base: 1, effort: 'medium', level: 1, modifiers: [1e21], minutes: Number.MAX_SAFE_INTEGER },
  ] as const)(
    '$base min, $effort, level $level, $modifiers take $minutes',
    ({ base, effort, level, modifiers, minutes }) => {
      expect(effectiveDuration({ base_duration_min: base, effort }, level, modifiers)).toBe(minutes);
    },
  );

  test('all combinations agree with whole-number arithmetic; binary fractions would be wrong in some', () => {
    let wrong = 0;
    for (let base = 1; base <= 1440; base++) {
      for (const [effort, e] of [
        ['low', 90],
        ['medium', 100],
        ['high', 110],
      ] as const) {
        [125, 100, 85, 70].forEach((s, level) => {
          const exact = Math.max(1, Number((BigInt(base * e * s) + 9999n) / 10000n));
          expect(effectiveDuration({ base_duration_min: base, effort }, level)).toBe(exact);
          if (Math.ceil(Math.max(1, base * (e / 100) * (s / 100))) !== exact) wrong++;
        });
      }
    }
    expect(wrong).toBe(167);
  });

  test.each([0, -5, 2.5, Number.NaN, '5', undefined])('a base of %s is an InvalidDuration', (base) => {
    expect(() => effectiveDuration({ base_duration_min: base as number })).toThrow(InvalidDuration);
  });
});

describe('settled 2: skills', () => {
  test.each([
    { level: undefined, minutes: 100 },
    { level: -7, minutes: 125 },
    { level: 0.49, minutes: 125 },
    { level: 0.5, minutes: 100 },
    { level: 2.5, minutes: 70 },
    { level: 99, minutes: 70 },
    { level: Number.POSITIVE_INFINITY, minutes: 70 },
  ])('level $level makes 100 minutes $minutes', ({ level, minutes }) => {
    expect(effectiveDuration({ base_duration_min: 100 }, level)).toBe(minutes);
  });

  test('the key is the skill of the definition, else the verb; a missing level is 1', () => {
    const defs = { weld: { base_duration_min: 100, skill: 'metal' }, walk: { base_duration_min: 100 } };
    const skills = { Ann: { metal: 3, weld: 0, walk: 2 } };
    const actions = [
      { id: 'a', verb: 'weld', at: '08:00' },
      { id: 'b', verb: 'walk', at: '08:00' },
      { id: 'c', verb: 'walk', at: '08:00', actor: 'Ben' },
    ];
    const { schedule_events } = runEpoch(world(defs, actions, { skills }));
    expect(schedule_events.slice(0, 3).map(({ meta }) => meta.d_eff)).toEqual([70, 85, 100]);
  });

  test('what is not a number is InvalidSkill', () => {
    expect(() => effectiveDuration({ base_duration_min: 1 }, 'high' as never)).toThrow(InvalidSkill);
    const input = world({ walk: { base_duration_min: 5 } }, [{ id: 'a', verb: 'walk', at: '08:00' }], {
      skills: { Ann: { walk: 'good' as never } },
    });
    expect(runEpoch(input).rejections).toMatchObject([{ id: 'a', code: 'InvalidSkill', t: 0 }]);
  });
});

describe('settled 3: modifiers', () => {
  const walk = { walk: { base_duration_min: 100 }, run: { base_duration_min: 100 } };
  const minutes = (clock: string, modifiers: object[], verb = 'walk') =>
    runEpoch(world(walk, [{ id: 'a', verb, at: clock }], { modifiers: modifiers as never })).schedule_events[0]!.meta
      .d_eff;

  test.each([
    { story: 'counts at its first minute', clock: '08:20', modifier: { from: 500, to: 600 }, wanted: 110 },
    { story: 'does not count at its exclusive end', clock: '10:00', modifier: { from: 500, to: 600 }, wanted: 100 },
    { story: 'wraps midnight, before', clock: '23:00', modifier: { from: 1320, to: 360 }, wanted: 110 },
    { story: 'wraps midnight, outside', clock: '12:00', modifier: { from: 1320, to: 360 }, wanted: 100 },
    { story: 'without a window always counts', clock: '12:00', modifier: {}, wanted: 110 },
    { story: 'of another verb does not count', clock: '12:00', modifier: { verb: 'run' }, wanted: 100 },
    { story: 'with an empty window never counts', clock: '12:00', modifier: { from: 720, to: 720 }, wanted: 100 },
  ])('a modifier $story', ({ clock, modifier, wanted }) => {
    expect(minutes(clock, [{ factor: 1.1, ...modifier }])).toBe(wanted);
  });

  test('is judged once at the start: an interrupted remainder keeps its length', () => {
    const input = world(
      { walk: { base_duration_min: 60, interruptible: true } },
      [{ id: 'a', verb: 'walk', at: '08:00' }],
      {
        modifiers: [{ factor: 2, from: 510, to: 600 }],
        interrupts: [{ at: at('08:20'), target: 'a', resume_after_min: 15 }],
      },
    );
    expect(lines(runEpoch(input))).toEqual(['08:00 start a', '08:20 interrupt a', '08:35 start a', '09:15 end a']);
  });

  test('minutes are those of the UTC day, so that splitting the day changes nothing', () => {
    const input = world(walk, [{ id: 'a', verb: 'walk', at: '10:30' }], {
      modifiers: [{ factor: 2, from: 600, to: 660 }],
    });
    const hours = runEpochs({ ...input, epoch: { index: 0, start_at: at('08:00'), end_at: at('09:00') } }, 8);
    expect(hours.flatMap(lines)).toEqual(lines(runEpoch(input)));
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '2', undefined])('a factor of %s is fatal', (factor) => {
    expect(() => minutes('08:00', [{ factor }])).toThrow(InvalidModifier);
  });

  test.each([{ from: -1 }, { to: 1441 }, { from: 0.5 }, { verb: 7 }])('a window of %j is fatal', (window) => {
    expect(() => minutes('08:00', [{ factor: 1, ...window }])).toThrow(/InvalidModifier: modifiers\[0\]/);
  });
});

describe('settled 15: audio files', () => {
  test.each([
    [0, 0, 'world', 'epoch00_slot00_world.ogg'],
    [7, 485, 'pc', 'epoch07_slot08_pc.ogg'],
    [123, 1439, 'sys', 'epoch123_slot23_sys.ogg'],
    [1, 1440, 'ally', 'epoch01_slot23_ally.ogg'],
  ] as const)('epoch %d, minute %d, %s is %s', (index, t, channel, name) => {
    expect(audioFileName(index, t, channel)).toBe(name);
  });

  test('other channels are InvalidChannel, negative indexes InvalidEpoch', () => {
    expect(() => audioFileName(0, 0, 'radio' as never)).toThrow(InvalidChannel);
    expect(() => audioFileName(0, 0, '__proto__' as never)).toThrow(InvalidChannel);
    expect(() => audioFileName(-1, 0, 'pc')).toThrow(InvalidEpoch);
    expect(() => audioFileName(1.5, 0, 'pc')).toThrow(InvalidEpoch);
  });
});
