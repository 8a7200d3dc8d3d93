import type { Clock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, type RingOptions, startTimeRing, type TimeRing } from '../../src/index.js';
import { countedDatabase } from '../support/counted-database.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';
import { NEVER, START } from '../support/ring-stage.js';

const SECONDS = 120;

/** As a real clock, it does not know what else happens, and lets nobody sleep for longer because nothing does. */
function asReal(clock: ManualClock): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleepUntil: (at, options) => clock.sleepUntil(at, options),
    sleepFor: (ms, options) => clock.sleepFor(ms, options),
  };
}

/** A node with an executor and jobs that are not due, on a connection whose statements are counted. */
async function idleNode(manual: ManualClock, nodeId: string, options: Partial<RingOptions> = {}) {
  const clock = asReal(manual);
  const place = networkPlace();
  const opened = await openDatabase(place.database, { clock });
  onTestFinished(() => opened.close());
  const counted = countedDatabase(opened);
  const ring = await startTimeRing({ ...place, ...options, database: counted.database, clock, nodeId });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  return { ring, dialect: opened.dialect, statements: counted.statements };
}

async function secondsGoBy(clock: ManualClock, rings: readonly TimeRing[], count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    const before = rings.map((ring) => ring.metrics().passes);
    await clock.advanceBy(1_000);
    await eventually(() => rings.forEach((ring, i) => void expect(ring.metrics().passes).toBeGreaterThan(before[i]!)));
  }
}

onEveryDatabase(() => {
  test('rule 1: an idle node does at most two statements a second', async () => {
    const clock = createManualClock({ now: START });
    const channels = { ops: { kind: 'function', send: () => {} } } as const;
    const { ring, statements } = await idleNode(clock, 'alone', {
      channels,
      alerts: [{ on: 'fire-failed', channel: 'ops' }],
    });
    const ran: number[] = [];
    await createExecutor({ ring, handlers: { work: ({ runId }) => void ran.push(runId) } });
    const { id } = await ring.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    const tomorrow = { kind: 'fix-rate', everyMs: 86_400_000 } as const;
    await ring.jobs.add({ name: 'tomorrow', handler: 'work', schedule: tomorrow, start: true });
    await secondsGoBy(clock, [ring], 5);
    const before = statements();
    await secondsGoBy(clock, [ring], SECONDS);
    const perSecond = (statements() - before) / SECONDS;
    console.info(`${networkPlace().claim}, alone: ${perSecond.toFixed(2)} statements a second`);
    expect(perSecond).toBeLessThanOrEqual(2);
    await ring.jobs.trigger(id);
    await eventually(() => expect(ran.length).toBe(1));
  });

  test('rule 1: idle nodes that share a database stay within two statements where it wakes them, else within seven', async () => {
    const clock = createManualClock({ now: START });
    const [one, two] = [await idleNode(clock, 'one'), await idleNode(clock, 'two')];
    for (const { ring } of [one, two]) await createExecutor({ ring, handlers: { work: () => {} } });
    const rings = [one.ring, two.ring];
    await secondsGoBy(clock, rings, 8);
    const before = [one.statements(), two.statements()];
    await secondsGoBy(clock, rings, SECONDS);
    for (const [i, { statements, dialect }] of [one, two].entries()) {
      const perSecond = (statements() - before[i]!) / SECONDS;
      console.info(`${networkPlace().claim}, with another: ${perSecond.toFixed(2)} statements a second`);
      expect(perSecond).toBeLessThanOrEqual(dialect === 'postgres' ? 2 : 7);
    }
  });
});
