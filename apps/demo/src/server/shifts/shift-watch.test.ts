import { createManualClock } from 'horae/time/testing';
import { expect, test } from 'vitest';
import { createShiftWatch } from './shift-watch.js';

async function stage() {
  const clock = createManualClock({ now: 1_800_000_000_000 });
  const watch = await createShiftWatch({ clock, shiftMs: 10_000, note: () => {}, onChange: () => {} });
  return { clock, watch };
}

test('keepers move the shifts on, cycle after cycle', async () => {
  const { clock, watch } = await stage();
  const seen = new Set<string>();
  for (let shift = 0; shift < 14; shift++) {
    await clock.advanceBy(10_000);
    seen.add((await watch.snapshot()).current!.operator);
  }
  expect(seen.size).toBe(6);
  expect((await watch.snapshot()).history.some(({ what, accepted }) => what.startsWith('rewind') && accepted)).toBe(
    true,
  );
  await watch.stop();
});

test('by hand: too early is refused with the rule, in time and signed is accepted, a rollback takes it back', async () => {
  const { clock, watch } = await stage();
  await watch.setAutopilot(false);
  const { active, current } = await watch.snapshot();
  const next = active.at(-2)!.name;
  const early = await watch.submit('advance', next);
  expect([early.accepted, early.violations[0]?.rule]).toEqual([false, 'operator-consent']);
  expect(early.violations[0]!.expected).toContain(`signed by ${next}`);
  await clock.advanceBy(10_500);
  expect((await watch.snapshot()).plan.text).toBe(`Advance to ${next}, now, signed by ${next}.`);
  expect((await watch.submit('advance', next)).accepted).toBe(true);
  await watch.rollback();
  expect((await watch.snapshot()).current?.operator).toBe(current?.operator);
  const rewound = await watch.submit('rewind', null);
  expect(rewound.violations.map(({ rule }) => rule)).toContain('active-root-link-reaches-previous');
  await watch.stop();
});

test('a registrant waits, is let in before a new cycle, and gets a shift', async () => {
  const { clock, watch } = await stage();
  expect((await watch.lifecycle('register', 'Nymphe')).accepted).toBe(true);
  expect((await watch.lifecycle('register', 'Nymphe')).violations[0]?.rule).toBe('not-registered');
  expect((await watch.lifecycle('activate', 'Nymphe')).violations[0]?.rule).toBe('activation-time-reached');
  for (let second = 0; second < 120; second++) {
    await clock.advanceBy(1_000);
    await watch.tick();
  }
  const { active, registered } = await watch.snapshot();
  expect(registered).toEqual([]);
  expect(active.find(({ name }) => name === 'Nymphe')?.next).not.toBeNull();
  await watch.stop();
});
