import { expect, test } from 'vitest';
import type { Handler, Run, TimeRing } from '../../src/index.js';
import { isOver } from '../../src/model/run.js';
import { reply } from '../support/loopback-server.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage, remoteExecutor } from '../support/network-stage.js';
import { unrulyExecutor } from '../support/unruly-executor.js';

const RUNS = Number(process.env.HORAE_FAST_RUNS ?? 200);
const MANY_AT_ONCE = { block: 'CONCURRENT', concurrency: 10_000 } as const;

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

const handlers: readonly { story: string; handler: Handler }[] = [
  { story: 'at once', handler: () => 'done' },
  { story: 'after 1 ms', handler: () => pause(1).then(() => 'done') },
  { story: 'after 1 s', handler: () => pause(1_000).then(() => 'done') },
];

async function allRuns(ring: TimeRing): Promise<readonly Run[]> {
  const runs: Run[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await ring.runs.list({ limit: 1_000, ...(cursor ? { cursor } : {}) });
    runs.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== null);
  return runs;
}

/** Triggers many runs of one job: each must succeed at its first attempt, and be told to have started and ended once. */
async function expectAllOnce({ ring, heard, job }: Awaited<ReturnType<typeof networkStage>>): Promise<void> {
  const { id } = await job({ ...MANY_AT_ONCE, retries: 3 });
  // Two hundred at a time: a transaction a trigger in one burst would leave a process on SQLite no time for its sockets.
  for (let sent = 0; sent < RUNS; sent += 200) {
    await Promise.all(Array.from({ length: Math.min(200, RUNS - sent) }, () => ring.jobs.trigger(id)));
    await eventually(async () => {
      const open = (await allRuns(ring)).filter(({ state }) => !isOver(state));
      expect(open.map((run) => `${run.id} ${run.state}`)).toEqual([]);
    });
  }
  const runs = await allRuns(ring);
  expect(runs.filter(({ state }) => state !== 'succeeded')).toEqual([]);
  expect(runs).toHaveLength(RUNS);
  const told = (name: string) =>
    heard.filter((each) => each.name === name).map(({ event }) => (event as { run: Run }).run.id);
  const ids = runs.map((run) => run.id).sort((a, b) => a - b);
  await eventually(() => {
    for (const name of ['run-started', 'run-succeeded'])
      expect(
        told(name).sort((a, b) => a - b),
        name,
      ).toEqual(ids);
  });
}

/** A busy machine may take its time to answer a call. */
const patientStage = () => networkStage({ http: { port: 0, callTimeoutMs: 60_000 } });

onEveryDatabase(() => {
  test.each(handlers)(
    'of fast remote runs whose handler returns $story none is left and none ends twice',
    async ({ handler }) => {
      const stage = await patientStage();
      await remoteExecutor({ ring: stage.url, handlers: { work: handler }, queueLimit: 100_000 });
      await stage.registered(1);
      await expectAllOnce(stage);
      expect(stage.ring.metrics().refused).toBe(0);
    },
  );

  test('of runs whose results and answers to /run come at the same time none is left and none ends twice', async () => {
    const stage = await patientStage();
    const codes: number[] = [];
    const executor: Awaited<ReturnType<typeof unrulyExecutor>> = await unrulyExecutor(stage.url, {
      '/run': ({ logId }, response) => {
        void executor.callback(logId).then(({ body }) => void codes.push(body.code));
        reply(response, { code: 200 });
      },
    });
    await expectAllOnce(stage);
    await eventually(() => expect(codes).toEqual(Array.from({ length: RUNS }, () => 200)));
  });

  test('of runs whose results come before the answer to /run none is left and none ends twice', async () => {
    const stage = await patientStage();
    const executor: Awaited<ReturnType<typeof unrulyExecutor>> = await unrulyExecutor(stage.url, {
      '/run': async ({ logId }, response) => {
        expect((await executor.callback(logId)).body.code).toBe(200);
        reply(response, { code: 200 });
      },
    });
    await expectAllOnce(stage);
  });
});
