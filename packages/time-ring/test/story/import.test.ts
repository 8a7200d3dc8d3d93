import { type Clock, systemClock } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { createExecutor, importXxlJobs, type TimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { networkStage } from '../support/network-stage.js';
import { EVERY_SECOND } from '../support/ring-stage.js';

/** Few in the second claim mode: an import knows nothing of it. */
const rowCount = () => (networkPlace().claim === 'lock-row' ? 10_000 : 1_000);

const shapes = [
  { story: 'a chain', childrenOf: (id: number, count: number) => (id < count ? [id + 1] : []) },
  {
    story: 'twelve children each',
    childrenOf: (id: number, count: number) =>
      Array.from({ length: 12 }, (_, i) => id + i + 1).filter((child) => child <= count),
  },
];

/** Jobs of an export, every second one started, one in a thousand with more params than the ring takes. */
function exportRows(count: number, childrenOf: (id: number, count: number) => number[]) {
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    jobGroup: 1,
    jobDesc: `job ${i + 1}`,
    executorHandler: 'h',
    scheduleType: 'CRON',
    scheduleConf: '0 0 3 * * ?',
    executorParam: isBad(i + 1) ? 'x'.repeat(200) : '',
    childJobid: childrenOf(i + 1, count).join(','),
    triggerStatus: i % 2,
  }));
}

const isBad = (id: number) => id % 1_000 === 7;

/** The machine's clock, which reports every empty sleep: a turn of the event loop. */
function turnClock() {
  const clock = systemClock();
  const heard = { onTurn: () => {} };
  const watched: Clock = {
    ...clock,
    sleepFor(ms, options) {
      if (ms === 0) heard.onTurn();
      return clock.sleepFor(ms, options);
    },
  };
  return { clock: watched, heard };
}

/** Imports, and counts the passes between the first job that was added and the last. */
async function importWatched(ring: TimeRing, text: string) {
  let passes = 0;
  let isUnderWay = false;
  const removers = [
    ring.events.on('job-added', () => {
      isUnderWay = true;
    }),
    ring.events.on('pass-completed', () => {
      if (isUnderWay) passes += 1;
    }),
  ];
  const report = await importXxlJobs(ring, text);
  for (const remove of removers) remove();
  return { report, passes };
}

onEveryDatabase(() => {
  test.each(shapes)(
    'a node goes on with its passes while it imports $story; a bad row costs itself alone',
    async ({ childrenOf }) => {
      const { clock, heard } = turnClock();
      const { ring } = await networkStage({ clock, maxParamsBytes: 100 });
      await createExecutor({ ring, handlers: { tick: () => {} } });
      const tick = await ring.jobs.add({ name: 'tick', handler: 'tick', schedule: EVERY_SECOND, start: true });
      let addedAtOnce = 0;
      let mostAddedAtOnce = 0;
      ring.events.on('job-added', () => {
        addedAtOnce += 1;
        mostAddedAtOnce = Math.max(mostAddedAtOnce, addedAtOnce);
      });
      heard.onTurn = () => {
        addedAtOnce = 0;
      };

      const count = rowCount();
      const rows = exportRows(count, childrenOf);
      const text = JSON.stringify(rows);
      const { report, ...first } = await importWatched(ring, text);
      let { passes } = first;

      const bad = rows.filter(({ id }) => isBad(id));
      expect(report.imported).toHaveLength(count - bad.length);
      const refused = report.skipped.filter(({ reason }) => /maxParamsBytes/.test(reason));
      expect(refused.map(({ xxlId }) => xxlId)).toEqual(bad.map(({ id }) => id));
      const newIds = new Map(report.imported.map(({ xxlId, jobId }) => [xxlId, jobId]));
      expect([...newIds.values()]).toEqual(Array.from(newIds, (_, index) => tick.id + 1 + index));
      for (const id of [1, 2, 6, 500, count - 3, count]) {
        const job = await ring.jobs.get(newIds.get(id)!);
        const children = childrenOf(id, count).flatMap((child) => newIds.get(child) ?? []);
        expect(job).toMatchObject({ name: `job ${id}`, children, state: id % 2 === 0 ? 'RUNNING' : 'STOPPED' });
      }
      expect(mostAddedAtOnce).toBe(200);
      // A fast machine may import between two passes: it imports again.
      for (let round = 0; passes < 1 && round < 300; round++) passes += (await importWatched(ring, text)).passes;
      expect(passes).toBeGreaterThanOrEqual(1);
      const { runs } = await ring.runs.list({ jobId: tick.id, state: 'succeeded' });
      expect(runs.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
