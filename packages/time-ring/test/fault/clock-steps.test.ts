import { expect, test } from 'vitest';
import { createRingStage, EVERY_SECOND, START, seconds } from '../support/ring-stage.js';

const HOUR = 3_600_000;

test.each(['lock-row', 'buckets'] as const)(
  '%s: an hour forwards is misfires that are told, and the schedule goes on at once',
  async (claim) => {
    await using stage = await createRingStage({ claim });
    const fired: (number | null)[] = [];
    await stage.executor({ work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 3_500);
    await stage.clock.jumpTo(START + 3_500 + HOUR);
    await stage.clock.advanceBy(4_000);
    // 4 to 8 were in the ring, 9 and on were not claimed yet; the last five seconds are late and no misfire.
    expect(fired).toEqual([1, 2, 3, ...Array.from({ length: 9 }, (_, i) => 3_599 + i)]);
    const misfires = stage.heard.filter(({ name }) => name === 'job-misfired').map(({ event }) => event);
    expect(misfires).toHaveLength(2);
    expect(misfires).toContainEqual({
      jobId: id,
      strategy: 'DO_NOTHING',
      firstMissed: START + 4_000,
      lastMissed: START + 8_000,
    });
    expect(misfires).toContainEqual({
      jobId: id,
      strategy: 'DO_NOTHING',
      firstMissed: START + 9_000,
      lastMissed: START + 3_598_000,
    });
    // What was in the ring has rows of its own, the rest one for all.
    expect((await stage.runs({ state: 'skipped' })).map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([
      4, 5, 6, 7, 8, 3_598,
    ]);
  },
);

test.each(['lock-row', 'buckets'] as const)(
  '%s: an hour backwards fires nothing twice; what was claimed and the rest wait for their times',
  async (claim) => {
    await using stage = await createRingStage({ claim });
    const fired: (number | null)[] = [];
    await stage.executor({ work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) });
    await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 3_500);
    await stage.clock.jumpTo(START + 3_500 - HOUR);
    await stage.clock.advanceBy(60_000);
    expect(fired).toEqual([1, 2, 3]);
    // The loops are awake all the same: a job added now runs now.
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceBy(2_000);
    expect((await stage.runs({ jobId: id, state: 'succeeded' })).length).toBe(2);
    expect(stage.ring.health().status).toBe('ok');
    await stage.ring.jobs.stop(id);
    await stage.clock.jumpTo(START + 2_500);
    await stage.clock.advanceTo(START + 12_000);
    expect([...new Set(fired)].filter((second) => second! > 0).sort((a, b) => a! - b!)).toEqual([
      ...Array.from({ length: 12 }, (_, i) => i + 1),
    ]);
    expect(fired.filter((second) => second! > 0)).toHaveLength(12);
  },
);
