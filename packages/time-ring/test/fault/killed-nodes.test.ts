import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/index.js';
import type { RunRow } from '../../src/run.js';
import { faultDatabases, readRuns, writeJobs } from '../support/fault-databases.js';
import { clock, type NodeProcess, startNodeProcess } from '../support/node-process.js';

/** `HORAE_CRASH_MINUTES=5` kills for so long on each database. */
const CRASH_MS = process.env.HORAE_CRASH_MINUTES ? Number(process.env.HORAE_CRASH_MINUTES) * 60_000 : 10_000;
const NODES = 3;
const JOBS = 20;
const EVERY_MS = 1_000;
/** A lease and a second, what it takes to run what is left, and a machine that is busy with other tests. */
const RECOVERY_MS = 9_000;

const everySecond = {
  name: 'tick',
  handler: 'work',
  schedule: { kind: 'fix-rate', everyMs: EVERY_MS },
  block: 'CONCURRENT',
  concurrency: 50,
} as const;

describe.each(faultDatabases)('three nodes on $name, killed at random', ({ open }) => {
  test.for(['lock-row', 'buckets'] as const)(
    '%s: exactly what was due has a run, each over, none twice',
    async (claim, context) => {
      const database = await open();
      if (database === 'unavailable') {
        context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
        return;
      }
      await writeJobs(database, []);
      const all: NodeProcess[] = [];
      const start = () => {
        const node = startNodeProcess({ database, claim, nodeId: `node-${all.length + 1}` });
        all.push(node);
        return node;
      };
      const alive = Array.from({ length: NODES }, start);
      await Promise.all(alive.map((node) => node.until(({ event }) => event === 'ready')));
      // Only now, or a slow start of the processes would make misfires.
      const jobs = await writeJobs(
        database,
        Array.from({ length: JOBS }, () => everySecond),
      );
      const random = seededRandom(`${claim} ${CRASH_MS}`);
      for (const began = clock.monotonicMs(); clock.monotonicMs() - began < CRASH_MS; ) {
        await clock.sleepFor(500 + random.below(2_500));
        await alive.splice(random.below(NODES), 1)[0]!.kill();
        alive.push(start());
      }
      await Promise.all(alive.map((node) => node.until(({ event }) => event === 'ready')));
      await clock.sleepFor(RECOVERY_MS);
      // Killed before the rows are read: what a node tells after the reading would not be in them.
      await Promise.all(alive.map((node) => node.kill()));
      const { rows, now } = await readRuns(database);
      console.info(
        `${claim}: ${all.length - NODES} kills, ${rows.length} runs, ${rows.filter(({ fence }) => fence > 1).length} taken over`,
      );
      expectExactlyDue(jobs, rows, now - 3_000);
      expectOneEndEach(all, rows);
    },
  );
});

function expectExactlyDue(jobs: readonly Job[], rows: readonly RunRow[], until: number): void {
  for (const job of jobs) {
    const due: number[] = [];
    for (let at = job.nextAt!; at <= until; at += EVERY_MS) due.push(at);
    const own = rows.filter(({ jobId, scheduleTime }) => jobId === job.id && scheduleTime! <= until);
    expect(own.map(({ scheduleTime }) => scheduleTime!).sort((a, b) => a - b)).toEqual(due);
    expect(own.filter(({ state }) => state !== 'succeeded')).toEqual([]);
  }
}

/** A process that is killed may take its last words with it, so an end may go untold; it cannot be told twice. */
function expectOneEndEach(nodes: readonly NodeProcess[], rows: readonly RunRow[]): void {
  const told = nodes.flatMap((node) => node.told);
  const ends = told.filter(({ event }) => ['run-succeeded', 'run-failed', 'run-killed'].includes(event));
  const ids = ends.map(({ runId }) => runId!);
  expect(ids.length).toBe(new Set(ids).size);
  const over = new Set(rows.filter(({ state }) => state === 'succeeded').map(({ id }) => id));
  expect(ids.filter((id) => !over.has(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(over.size / 2);
  expect(told.filter(({ event }) => event === 'job-misfired')).toEqual([]);
}
