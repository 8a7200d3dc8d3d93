import { deferred } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { createScheduler, observe } from '@horae/declarative-scheduler';
import { createExecutor, startTimeRing, type TimeRing } from '@horae/time-ring';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ClaimMode, editionPlaces, editionStatements, runStatements } from '../support/first-edition.js';

// What the first edition left in its databases (test/fixtures/first-edition) is opened by this one and goes on.

/** What the first edition had when its process died, with a run of `hang` still running and others waiting in the ring. */
const JOBS = ['child', 'greet', 'fail', 'hang', 'nightly', 'every second', 'stopped'];

const handlers = {
  greet: ({ params }: { params: unknown }) => `Hello, ${params}`,
  fail: () => {
    throw new Error('out of paper');
  },
  hang: () => 'no longer',
};

async function startNode(database: string, claim: ClaimMode, nodeId: string): Promise<TimeRing> {
  const ring = await startTimeRing({ database, claim, nodeId });
  onTestFinished(() => ring.stop());
  await createExecutor({ ring, handlers });
  return ring;
}

/** Resolves when `count` runs of the job ended well on any of the nodes. */
function successes(nodes: readonly TimeRing[], jobId: number, count: number): Promise<number[]> {
  const done = deferred<number[]>();
  const times: number[] = [];
  for (const node of nodes) {
    node.events.on('run-succeeded', ({ run }) => {
      if (run.jobId !== jobId) return;
      times.push(run.scheduleTime ?? 0);
      if (times.length === count) done.resolve(times);
    });
  }
  return done.promise;
}

async function jobNamed(ring: TimeRing, name: string) {
  const { jobs } = await ring.jobs.list();
  return jobs.find((job) => job.name === name)!;
}

/** What was running when the process died is given out again under its id. */
async function expectHangingRunToEnd(ring: TimeRing): Promise<void> {
  const { id: jobId } = await jobNamed(ring, 'hang');
  const read = async () => (await ring.runs.list({ jobId })).runs.map(({ state, message }) => ({ state, message }));
  await expect.poll(read, { timeout: 30_000 }).toEqual([{ state: 'succeeded', message: 'no longer' }]);
}

describe.each(editionPlaces)('a database of the first edition on $name', ({ name, dialect, start }) => {
  let place: Awaited<ReturnType<typeof start>>;
  let url: string;
  beforeAll(async () => {
    place = await start();
  });
  afterAll(async () => {
    if (place !== 'unavailable') await place.stop();
  });
  beforeEach(async (context) => {
    if (place === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    url = await place.freshDatabase();
  });

  describe.each(['lock-row', 'buckets'] as const)('in the mode %s', (claim) => {
    test('is migrated by two nodes that start at once, and every job goes on', async () => {
      await runStatements(url, await editionStatements(dialect, claim));
      const nodes = await Promise.all([startNode(url, claim, 'a'), startNode(url, claim, 'b')]);
      const [ring] = nodes;
      const { jobs } = await ring.jobs.list();
      expect(jobs.map((job) => job.name).sort()).toEqual([...JOBS].sort());
      expect(
        jobs
          .filter(({ state }) => state === 'RUNNING')
          .map((job) => job.name)
          .sort(),
      ).toEqual(['every second', 'nightly']);
      const ticking = await jobNamed(ring, 'every second');
      const times = await successes(nodes, ticking.id, 6);
      expect(new Set(times).size).toBe(times.length);
      expect((await ring.runs.get(1))?.message).toBe("Hello, O'Neil");
      expect(await ring.runs.get(2)).toMatchObject({ state: 'failed', message: 'out of paper' });
      await expectHangingRunToEnd(ring);
      const { runs } = await ring.runs.list({ jobId: ticking.id, limit: 500 });
      const scheduled = runs.map(({ scheduleTime }) => scheduleTime);
      expect(new Set(scheduled).size).toBe(scheduled.length);
    });

    test('starts the children of its jobs, which were linked by the first edition', async () => {
      await runStatements(url, await editionStatements(dialect, claim));
      const ring = await startNode(url, claim, 'a');
      const child = successes([ring], (await jobNamed(ring, 'child')).id, 1);
      await ring.jobs.trigger((await jobNamed(ring, 'greet')).id);
      expect(await child).toHaveLength(1);
    });

    test('takes rows that a node of the first edition writes after the migration', async () => {
      const first = await startTimeRing({ database: url, claim });
      await first.stop();
      // Only its own columns: what this edition added must have defaults.
      const rows = (await editionStatements(dialect, claim)).filter((statement) =>
        /^insert into horae_ring_(jobs|runs|nodes|logs) /.test(statement),
      );
      expect(rows.length).toBeGreaterThan(2);
      await runStatements(url, rows);
      const ring = await startNode(url, claim, 'a');
      expect((await ring.jobs.list()).jobs.map((job) => job.name).sort()).toEqual([...JOBS].sort());
      await successes([ring], (await jobNamed(ring, 'every second')).id, 3);
      await expectHangingRunToEnd(ring);
    });
  });

  test('keeps what its tasks did: success, failure, and the retry that is still due', async () => {
    await runStatements(url, await editionStatements(dialect, 'lock-row'));
    const clock = createManualClock({ now: Date.UTC(2026, 0, 1, 9, 1) });
    const scheduler = createScheduler({ database: url, clock, zone: 'UTC' });
    onTestFinished(() => scheduler.stop());
    const ran: string[] = [];
    await scheduler.initialize([
      ['digest', '0 9 * * *', async () => void ran.push('digest'), 300_000],
      ['import', '0 9 * * *', async () => void ran.push('import'), 300_000],
    ]);
    const nine = Date.UTC(2026, 0, 1, 9);
    const tasks = Object.fromEntries(
      observe(scheduler)
        .tasks()
        .map((task) => [task.name, task]),
    );
    expect(tasks.digest).toMatchObject({ lastSuccessAt: nine });
    expect(tasks.import).toMatchObject({ lastFailureAt: nine, pendingRetryUntil: nine + 300_000 });
    await clock.advanceBy(3 * 60_000);
    expect(ran).toEqual([]);
    await clock.advanceBy(2 * 60_000);
    await expect.poll(() => ran).toEqual(['import']);
  });
});
