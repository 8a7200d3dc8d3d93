import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, type RingOptions, startTimeRing } from '../../src/index.js';

/** `HORAE_PUNCTUALITY=1` takes a minute for 300 and for 3,000 jobs, each in three ways; the gate takes a short look. */
const isLong = process.env.HORAE_PUNCTUALITY === '1';
const SIZES = isLong ? [300, 3_000] : [300];
const FOR_MS = isLong ? 60_000 : 8_000;
const clock = systemClock();

interface Tick {
  readonly jobId: number;
  readonly scheduleTime: number;
  readonly lateMs: number;
}

/** Runs one-second jobs on a SQLite file in real time and gives every start. */
async function tick(jobs: number, options: Partial<RingOptions>, disturb: () => void = () => {}): Promise<Tick[]> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-punctual-'));
  const ring = await startTimeRing({ database: `sqlite:${join(folder, 'ring.db')}`, ...options });
  onTestFinished(async () => {
    await ring.stop({ deadlineMs: 5_000 });
    await rm(folder, { recursive: true, force: true });
  });
  const ticks: Tick[] = [];
  await createExecutor({
    ring,
    handlers: {
      tick: ({ jobId, scheduleTime }) => {
        ticks.push({ jobId, scheduleTime: scheduleTime!, lateMs: clock.now() - scheduleTime! });
      },
    },
  });
  const job = { name: 'tick', handler: 'tick', schedule: { kind: 'cron', expression: '* * * * * ?' } } as const;
  for (let i = 0; i < jobs; i++) await ring.jobs.add({ ...job, block: 'CONCURRENT', concurrency: 100, start: true });
  const from = Math.ceil(clock.now() / 1_000) * 1_000 + 1_000;
  await clock.sleepUntil(from + FOR_MS / 2);
  disturb();
  const to = from + FOR_MS;
  await clock.sleepUntil(to + 6_000);
  expect(ring.metrics()).toMatchObject({ misfired: 0, passesFailed: 0, failed: 0 });
  return ticks.filter(({ scheduleTime }) => scheduleTime >= from && scheduleTime < to);
}

function expectEach(jobs: number, ticks: readonly Tick[], story: string): void {
  const keys = ticks.map(({ jobId, scheduleTime }) => `${jobId} ${scheduleTime}`);
  const seconds = FOR_MS / 1_000;
  const missed = jobs * seconds - new Set(keys).size;
  const twice = keys.length - new Set(keys).size;
  const late = ticks.map(({ lateMs }) => lateMs).sort((a, b) => a - b);
  const at = (share: number) => Math.round(late[Math.min(late.length - 1, Math.floor(late.length * share))]!);
  console.info(
    `${jobs} one-second jobs for ${seconds} s, ${story}: missed ${missed}, twice ${twice}, late p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
  );
  expect({ missed, twice, early: late.filter((ms) => ms < 0).length }).toEqual({ missed: 0, twice: 0, early: 0 });
}

test.each(SIZES)('%i jobs a second in real time: none missed, none twice, none early', async (jobs) => {
  expectEach(jobs, await tick(jobs, {}), 'undisturbed');
});

test.each(SIZES)('%i jobs a second with scans of 1.2 s: none missed, none twice, none early', async (jobs) => {
  const onStep: RingOptions['onStep'] = (step) => (step === 'claim' ? clock.sleepFor(1_200) : undefined);
  expectEach(jobs, await tick(jobs, { onStep }), 'scans of 1.2 s');
});

test.each(SIZES)('%i jobs a second with a stall of 3 s: none missed, none twice, none early', async (jobs) => {
  const stall = () => {
    const until = clock.monotonicMs() + 3_000;
    while (clock.monotonicMs() < until);
  };
  expectEach(jobs, await tick(jobs, {}, stall), 'a stall of 3 s');
});
