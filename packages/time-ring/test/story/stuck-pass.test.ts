import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { createManualClock } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { silentLogger } from '../../src/model/logger.js';
import { deferred, EVERY_SECOND, START } from '../support/ring-stage.js';

const LEASE_MS = 3_000;

/** A ring whose passes can be held up in the database while everything else there goes on. */
async function stage() {
  const clock = createManualClock({ now: START });
  const opened = await openDatabase('sqlite::memory:', { clock });
  let held: ReturnType<typeof deferred<void>> | null = null;
  let isPassNext = false;
  const database: HoraeDatabase = Object.assign(Object.create(opened), {
    async transaction(work: never, options: never) {
      const isPass = isPassNext;
      isPassNext = false;
      if (isPass) await held?.promise;
      return opened.transaction(work, options);
    },
    migrate: opened.migrate.bind(opened),
    dbNow: opened.dbNow.bind(opened),
  });
  const errors: string[] = [];
  const log = { ...silentLogger, error: (_: object, text: string) => void errors.push(text) };
  const onStep = (step: string) => {
    if (step === 'claim') isPassNext = true;
  };
  const ring = await startTimeRing({ database, clock, log, onStep, leaseMs: LEASE_MS });
  onTestFinished(async () => {
    held?.resolve();
    const stopping = ring.stop({ deadlineMs: 0 });
    await clock.advanceBy(10_000);
    await stopping;
    await opened.close();
  });
  const ran: number[] = [];
  await createExecutor({ ring, handlers: { tick: () => void ran.push(clock.now() - START) } });
  await ring.jobs.add({ name: 'tick', handler: 'tick', schedule: EVERY_SECOND, start: true });
  return {
    clock,
    ring,
    ran,
    errors,
    hold: () => {
      held = deferred();
    },
    release: () => {
      held?.resolve();
      held = null;
    },
    async beatAt() {
      const { rows } = await sql<{ at: number }>`select beat_at as at from horae_ring_nodes`.execute(opened.kysely);
      return rows[0]!.at - START;
    },
  };
}

test('a node whose pass does not get on for two leases stops its heartbeat, says why, and hands nothing more out', async () => {
  const { clock, ran, errors, hold, release, beatAt, ring } = await stage();
  await clock.advanceTo(START + 3_000);
  hold();
  await clock.advanceTo(START + 8_000);
  // Held up, but alive: what was claimed before is still handed out.
  expect(await beatAt()).toBe(8_000);
  expect(errors).toEqual([]);
  const before = [...ran];
  await ring.jobs.trigger(1);
  await clock.settle();
  expect(ran.length).toBe(before.length + 1);
  await clock.advanceTo(START + 20_000);
  expect(await beatAt()).toBe(9_000);
  expect(errors).toEqual([expect.stringContaining('the heartbeat stops and nothing more is handed out')]);
  const stuck = ran.length;
  const run = await ring.jobs.trigger(1);
  await clock.advanceTo(START + 22_000);
  expect(ran.length).toBe(stuck);
  release();
  await clock.advanceTo(START + 26_000);
  expect(await beatAt()).toBe(26_000);
  expect(await ring.runs.get(run.id)).toMatchObject({ state: 'succeeded' });
  expect(ran.length).toBeGreaterThan(stuck + 3);
});
