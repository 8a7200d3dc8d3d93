import { expect, test } from 'vitest';
import { deriveSkillLevels, fromAnnotation } from '../../src/annotation.js';
import { InvalidAnnotation, InvalidSkill, runEpoch } from '../../src/index.js';

test('skill levels are weighted sums, rounded half up and kept within 0 to 3', () => {
  const mapping = {
    metal: { patience: 2, strength: 1 },
    radio: { weights: { patience: 1 }, bias: 1 },
    swim: { fear: -9 },
  };
  expect(deriveSkillLevels(mapping, { patience: 0.5, strength: 0.5, fear: 1 })).toEqual({
    metal: 2,
    radio: 2,
    swim: 0,
  });
  expect(deriveSkillLevels({ a: [1, 2], b: [9, 9] }, [0.5, 0.5])).toEqual({ a: 2, b: 3 });
  expect(deriveSkillLevels({ a: [0.1, 0.1, 0.1] }, [5, 5, 5])).toEqual({ a: 2 });
});

test('what is not a number is InvalidSkill; inherited names are no traits', () => {
  expect(() => deriveSkillLevels({ a: { x: Number.NaN } }, { x: 1 })).toThrow(InvalidSkill);
  expect(() => deriveSkillLevels({ a: { x: 1 } }, { x: 'much' as never })).toThrow(InvalidSkill);
  expect(deriveSkillLevels({ a: { toString: 3 } }, {})).toEqual({ a: 0 });
});

test('an annotation record becomes actions with its actor, time and visibility', () => {
  const { actions_submitted } = fromAnnotation({
    actor: 'Ronja',
    submitted_at: '2025-07-01T08:00:00',
    knowledge: { scope: 'public', sources: ['radio'] },
    actions: [
      { id: 'a', verb: 'walk' },
      {
        id: 'b',
        verb: 'walk',
        actor: 'Jonas',
        scope: 'private',
        submitted_at: '2025-07-01T08:05:00',
        params: { to: 'dock' },
      },
    ],
  });
  expect(actions_submitted).toEqual([
    { id: 'a', actor: 'Ronja', verb: 'walk', params: {}, submitted_at: '2025-07-01T08:00:00', scope: 'public' },
    {
      id: 'b',
      actor: 'Jonas',
      verb: 'walk',
      params: { to: 'dock' },
      submitted_at: '2025-07-01T08:05:00',
      scope: 'private',
    },
  ]);
  const epoch = { index: 0, start_at: '2025-07-01T08:00:00', end_at: '2025-07-01T09:00:00' };
  const { logs } = runEpoch({ epoch, action_defs: { walk: { base_duration_min: 5 } }, actions_submitted, pc: 'Mara' });
  expect(new Set(logs.pc_log.map(({ action_id }) => action_id))).toEqual(new Set(['a']));
});

test.each([
  [{ actions: 'none' }, 'actions'],
  [{ actions: [{ id: 'a', verb: 7 }] }, 'actions.0.verb'],
  [{ actions: [{ id: 'a', verb: 'walk' }] }, 'actions.0.actor'],
  [{ actor: 'x', actions: [{ id: 'a', verb: 'walk' }] }, 'actions.0.submitted_at'],
])('a record that cannot be used names the field: %j', (record, path) => {
  expect(() => fromAnnotation(record as never)).toThrow(InvalidAnnotation);
  expect(() => fromAnnotation(record as never)).toThrow(new RegExp(path.replaceAll('.', '\\.')));
});
