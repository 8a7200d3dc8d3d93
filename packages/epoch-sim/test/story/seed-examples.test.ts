import { expect, test } from 'vitest';
import { runEpoch } from '../../src/index.js';

const epoch = { index: 0, start_at: '2025-07-01T00:00:00', end_at: '2025-07-02T00:00:00' };
const clean = {
  base_duration_min: 60,
  effort: 'medium',
  interruptible: true,
  locks: [],
  may_trigger_event: false,
} as const;
const repair = {
  base_duration_min: 45,
  effort: 'high',
  interruptible: false,
  locks: ['workshop'],
  may_trigger_event: false,
} as const;
const radio = {
  base_duration_min: 5,
  effort: 'low',
  interruptible: true,
  locks: ['radio'],
  may_trigger_event: true,
} as const;
const a1 = { id: 'A1', actor: 'Reflex', verb: 'clean', params: {}, submitted_at: '2025-07-01T08:05:00' };
const a2 = { id: 'A2', actor: 'Ronja', verb: 'repair', params: { part: 'valve' }, submitted_at: '2025-07-01T08:10:00' };
const a3 = {
  id: 'A3',
  actor: 'Jonas',
  verb: 'radio',
  params: { channel: 'ally' },
  submitted_at: '2025-07-01T08:12:00',
};

const event = (type: string, action_id: string, t: number, meta: object) => ({
  type,
  action_id,
  t,
  at: new Date(Date.UTC(2025, 6, 1) + t * 60_000).toISOString(),
  meta,
});

test('example 1: cleaning starts at 08:05 and ends at 09:05', () => {
  const { schedule_events } = runEpoch({ epoch, action_defs: { clean }, actions_submitted: [a1] });
  expect(schedule_events).toEqual([
    event('start', 'A1', 485, { d_eff: 60, attempt: 1, waited_min: 0 }),
    event('end', 'A1', 545, {}),
  ]);
});

test('example 2: the repair starts at 08:10 and ends at 09:00, because 49.5 minutes are 50', () => {
  const { schedule_events, locks } = runEpoch({ epoch, action_defs: { repair }, actions_submitted: [a2] });
  expect(schedule_events).toEqual([
    event('start', 'A2', 490, { d_eff: 50, attempt: 1, waited_min: 0 }),
    event('end', 'A2', 540, {}),
  ]);
  expect(locks).toEqual({ workshop: { held_by: null, queue: [] } });
});

test('example 2, workshop taken: the start moves to the release of the lock', () => {
  const before = { ...a2, id: 'A0', submitted_at: '2025-07-01T08:00:00' };
  const { schedule_events } = runEpoch({ epoch, action_defs: { repair }, actions_submitted: [before, a2] });
  expect(schedule_events.map(({ type, action_id, t }) => [type, action_id, t])).toEqual([
    ['start', 'A0', 480],
    ['end', 'A0', 530],
    ['start', 'A2', 530],
    ['end', 'A2', 580],
  ]);
  expect(schedule_events[2]!.meta).toEqual({ d_eff: 50, attempt: 1, waited_min: 40 });
});

test('example 3: the radio call ends at 08:17 and then becomes visible', () => {
  const { schedule_events } = runEpoch({ epoch, action_defs: { radio }, actions_submitted: [a3] });
  expect(schedule_events).toEqual([
    event('start', 'A3', 492, { d_eff: 5, attempt: 1, waited_min: 0 }),
    event('end', 'A3', 497, {}),
    event('visibility_change', 'A3', 497, { reveals: ['A3'] }),
  ]);
});

test('the three together do not disturb each other, and the same input gives the same bytes', () => {
  const input = { epoch, action_defs: { clean, repair, radio }, actions_submitted: [a1, a2, a3] };
  const first = JSON.stringify(runEpoch(input));
  expect(JSON.stringify(runEpoch(structuredClone(input)))).toBe(first);
  expect(JSON.parse(first).schedule_events.map((e: { t: number }) => e.t)).toEqual([485, 490, 492, 497, 497, 540, 545]);
});
