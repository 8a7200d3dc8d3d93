import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import { everySecond, expectNothingLost, startRole, WEB_AND_WORKERS } from '../support/deployment.js';
import { faultDatabases, readRuns, writeJobs } from '../support/fault-databases.js';
import { eventually } from '../support/network-stage.js';
import { clock, type NodeProcess } from '../support/node-process.js';

/** `HORAE_CRASH_MINUTES=5` kills for so long on each database, in both claim modes. */
const minutes = process.env.HORAE_CRASH_MINUTES;
const CRASH_MS = minutes === undefined ? 6_000 : Number(minutes) * 60_000;
const JOBS_PER_HANDLER = 7;

describe.each(faultDatabases)('a web process and two workers on $name, killed at random', ({ open }) => {
  test.for(minutes === undefined ? ['lock-row'] : ['lock-row', 'buckets'])(
    '%s: exactly the due set is done, nothing twice, and nothing fails that somebody could have done',
    async (claim, context) => {
      const database = await open();
      if (database === 'unavailable') {
        context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
        return;
      }
      const place = { database, claim };
      await writeJobs(database, []);
      const alive = await Promise.all(WEB_AND_WORKERS.map((role) => startRole(role, place)));
      const all: NodeProcess[] = [...alive];
      const handlers = ['report', 'mail', 'common'];
      const jobs = await writeJobs(
        database,
        handlers.flatMap((handler) => Array.from({ length: JOBS_PER_HANDLER }, () => everySecond(handler))),
      );
      const random = seededRandom(`${claim} ${CRASH_MS}`);
      let kills = 0;
      for (const began = clock.monotonicMs(); clock.monotonicMs() - began < CRASH_MS; kills++) {
        await clock.sleepFor(500 + random.below(1_500));
        const at = random.below(alive.length);
        await alive[at]!.kill();
        alive[at] = await startRole(WEB_AND_WORKERS[at]!, place, all.length);
        all.push(alive[at]!);
      }
      const { now: until } = await readRuns(database);
      await eventually(async () => {
        const left = (await readRuns(database)).rows.filter(({ endedAt }) => endedAt === null);
        expect(left.filter(({ scheduleTime }) => scheduleTime! <= until)).toEqual([]);
      });
      await Promise.all(alive.map((node) => node.kill()));
      const { rows } = await readRuns(database);
      const seen = expectNothingLost(jobs, rows, all, until);
      const taken = rows.filter(({ fence }) => fence > 2).length;
      console.info(`${claim}: ${kills} kills, ${seen.runs} runs, ${taken} that changed hands more than once`);
      expect(seen.runs).toBeGreaterThan(jobs.length * 4);
    },
  );
});
