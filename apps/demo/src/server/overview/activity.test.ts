import { createManualClock } from 'horae/time/testing';
import { expect, test } from 'vitest';
import { createActivity } from './activity.js';

test('entries are counted by their second and leave the minute', async () => {
  const clock = createManualClock({ now: 1_000_000 });
  const activity = createActivity(clock, () => {});
  activity.note('tasks', 'one');
  activity.note('ring', 'two', 'bad');
  await clock.advanceBy(2_000);
  activity.note('tasks', 'three');
  const { perSecond, entries } = activity.snapshot();
  expect(perSecond.tasks.slice(-3)).toEqual([1, 0, 1]);
  expect(perSecond.ring.slice(-3)).toEqual([1, 0, 0]);
  expect(entries.map(({ text }) => text)).toEqual(['three', 'two', 'one']);
  await clock.advanceBy(58_000);
  expect(activity.snapshot().perSecond.tasks.reduce((a, b) => a + b, 0)).toBe(1);
});

test('what is kept has a limit', () => {
  const activity = createActivity(createManualClock({ now: 0 }), () => {});
  for (let i = 0; i < 5_000; i++) activity.note('sim', String(i));
  expect(activity.snapshot().entries.length).toBe(60);
  expect(activity.snapshot().perSecond.sim.at(-1)).toBeLessThanOrEqual(2_000);
});
