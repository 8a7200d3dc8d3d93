import { describe, expect, test } from 'vitest';
import { everySecond, expectNothingLost, startRole, stopGracefully, WEB_AND_WORKERS } from '../support/deployment.js';
import { faultDatabases, readRuns, writeJobs } from '../support/fault-databases.js';
import { eventually } from '../support/network-stage.js';
import { clock, type NodeProcess } from '../support/node-process.js';

/** `HORAE_HA=1` replaces all three processes five times under 200 jobs a second, in both claim modes. */
const isFull = process.env.HORAE_HA === '1';
const ROUNDS = isFull ? 5 : 1;
const JOBS_PER_HANDLER = isFull ? 67 : 7;

describe.each(faultDatabases)('a web process and two workers on $name', ({ open }) => {
  test.for(isFull ? ['lock-row', 'buckets'] : ['lock-row'])(
    '%s: all three are replaced one by one under load, no run fails, none is done twice',
    async (claim, context) => {
      const database = await open();
      if (database === 'unavailable') {
        context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
        return;
      }
      const place = { database, claim };
      await writeJobs(database, []);
      const all: NodeProcess[] = [];
      const alive = new Map<string, NodeProcess>();
      for (const role of WEB_AND_WORKERS) alive.set(role.name, await startRole(role, place));
      all.push(...alive.values());
      const inputs = ['report', 'mail', 'common'].flatMap((handler) =>
        Array.from({ length: JOBS_PER_HANDLER }, () => everySecond(handler)),
      );
      const jobs = await writeJobs(database, inputs);
      await clock.sleepFor(2_000);
      for (let round = 2; round <= ROUNDS + 1; round++) {
        for (const role of WEB_AND_WORKERS) {
          const next = await startRole(role, place, round);
          await stopGracefully(alive.get(role.name)!);
          alive.set(role.name, next);
          all.push(next);
          await clock.sleepFor(500);
        }
      }
      await clock.sleepFor(2_000);
      const { now: until } = await readRuns(database);
      await eventually(async () => {
        const open = (await readRuns(database)).rows.filter(({ endedAt }) => endedAt === null);
        expect(open.filter(({ scheduleTime }) => scheduleTime! <= until)).toEqual([]);
      });
      await Promise.all([...alive.values()].map((node) => node.kill()));
      const { rows } = await readRuns(database);
      const seen = expectNothingLost(jobs, rows, all, until);
      const note = `${claim}: ${ROUNDS * 3} replacements, ${seen.runs} runs, late by ${seen.p50} ms (p50), ${seen.p99} ms (p99), ${seen.most} ms (most)`;
      console.info(note);
      expect(seen.runs).toBeGreaterThan(jobs.length * 4);
    },
  );
});
