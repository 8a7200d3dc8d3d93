import { type Random, seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';
import type { Run } from '../../src/index.js';
import { blockStrategies, routeStrategies } from '../../src/model/job.js';
import { isOver } from '../../src/model/run.js';
import { reply } from '../support/loopback-server.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage } from '../support/network-stage.js';
import { START } from '../support/ring-stage.js';
import { type ReceivedRun, unrulyExecutor } from '../support/unruly-executor.js';

const FIRES = 150;

/** An executor that does something else with every run, drawn from the seed; it notes which runs it called back as a success. */
async function chaoticExecutor(url: string, random: Random, claimed: Set<number>) {
  const answer = async ({ logId }: ReceivedRun, response: import('node:http').ServerResponse) => {
    const code = random.below(4) === 0 ? 500 : 200;
    const report = async () => {
      if (code === 200) claimed.add(logId);
      await executor.callback(logId, code, `from ${logId}`);
    };
    switch (random.below(10)) {
      case 0:
        return response.destroy();
      case 1:
        return response.end('<html>garbage</html>');
      case 2:
        return reply(response, { code: 500, msg: 'busy' });
      case 3:
        return undefined;
      case 4:
        reply(response, { code: 200 });
        return undefined;
      case 5:
        await report();
        return reply(response, { code: 200 });
      case 6:
        reply(response, { code: 200 });
        await Promise.all([report(), executor.callback(logId, 500, 'the other way')]);
        return undefined;
      case 7:
        await report();
        return response.destroy();
      default:
        reply(response, { code: 200 });
        return report();
    }
  };
  const executor: Awaited<ReturnType<typeof unrulyExecutor>> = await unrulyExecutor(url, {
    '/run': answer,
    '/beat': (_body, response) => (random.below(5) === 0 ? response.destroy() : reply(response, { code: 200 })),
    '/idleBeat': (_body, response) => reply(response, { code: random.below(3) === 0 ? 500 : 200 }),
  });
  return executor;
}

onEveryDatabase(() => {
  test.each([{ seed: 1 }, { seed: 2 }, { seed: 3 }])(
    'whatever three executors do with the runs of all routes and block strategies (seed $seed), every run ends once',
    async ({ seed }) => {
      const clock = createManualClock({ now: START });
      const { ring, url, job, heard } = await networkStage({
        clock,
        http: { port: 0, resultGraceMs: 2_000, breaker: { failures: 3, openMs: 2_000 } },
      });
      const random = seededRandom(seed);
      const claimed = new Set<number>();
      const executors = [];
      for (let number = 0; number < 3; number++) executors.push(await chaoticExecutor(url, random, claimed));
      const jobs = await Promise.all(
        routeStrategies.map((route, index) =>
          job({ name: route, route, block: blockStrategies[index % 4]!, retries: 2, timeoutMs: 1_000 }),
        ),
      );
      for (let fire = 0; fire < FIRES; fire++) await ring.jobs.trigger(jobs[fire % jobs.length]!.id);

      const allRuns = async (): Promise<Run[]> => {
        const runs: Run[] = [];
        let cursor: string | null | undefined;
        do {
          const page = await ring.runs.list({ limit: 1_000, ...(cursor ? { cursor } : {}) });
          runs.push(...page.runs);
          cursor = page.cursor;
        } while (cursor !== null);
        return runs;
      };
      await eventually(async () => {
        await clock.advanceBy(1_000);
        const open = (await allRuns()).filter(({ state }) => !isOver(state));
        expect(open).toEqual([]);
      });
      // A retry is written with the failure that it follows, so now nothing more comes.
      const runs = await allRuns();
      const ends = heard.filter(({ name }) => ['run-succeeded', 'run-failed', 'run-killed'].includes(name));
      const endedIds = ends.map(({ event }) => (event as { run: Run }).run.id);
      expect(endedIds).toHaveLength(runs.length);
      expect(new Set(endedIds).size).toBe(runs.length);
      expect(new Set(runs.map(({ fireId }) => fireId)).size).toBe(FIRES);
      for (const run of runs) {
        if (run.state === 'succeeded') expect(claimed.has(run.id)).toBe(true);
        const later = runs.find(
          ({ fireId, shardIndex, attempt }) =>
            fireId === run.fireId && shardIndex === run.shardIndex && attempt === run.attempt + 1,
        );
        expect(later !== undefined, `run ${run.id}`).toBe(run.state === 'failed' && run.attempt < 3);
      }
      // About half of them; how many exactly depends on who is cut off by its breaker when, which real sockets decide.
      expect(runs.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(FIRES / 3);
    },
  );
});
