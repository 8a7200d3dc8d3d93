import { seededRandom } from '@horae/clock-store';
import { describe, test } from 'vitest';
import { expectExactlyDue, expectOneEndEach } from '../support/exactly-due.js';
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
      expectExactlyDue(jobs, rows, EVERY_MS, now - 3_000);
      expectOneEndEach(all, rows);
    },
  );
});
