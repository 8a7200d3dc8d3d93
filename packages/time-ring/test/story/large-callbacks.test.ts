import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage } from '../support/network-stage.js';
import { postJson } from '../support/raw-request.js';
import { unrulyExecutor } from '../support/unruly-executor.js';

const RUNS = 60;

onEveryDatabase(() => {
  test('one callback of 3 MB with 60 results is taken under default options, and every result is kept', async () => {
    const { ring, url, job, registered, ended, accepted } = await networkStage();
    const executor = await unrulyExecutor(url, {});
    await registered(1);
    const { id } = await job({ block: 'CONCURRENT', concurrency: RUNS });
    const runs = await Promise.all(Array.from({ length: RUNS }, () => ring.jobs.trigger(id)));
    await eventually(() => expect(executor.runs()).toHaveLength(RUNS));
    for (const run of runs) await accepted(run.id);
    const results = runs.map((run, i) => ({
      logId: run.id,
      logDateTim: 0,
      handleCode: i % 2 === 0 ? 500 : 200,
      handleMsg: `${run.id}: ${'trace '.repeat(8_334)}`,
    }));
    const body = JSON.stringify(results);
    expect(body.length).toBeGreaterThan(3_000_000);
    expect(await postJson(url, '/api/callback', body)).toMatchObject({ status: 200, body: { code: 200 } });
    for (const [i, run] of runs.entries()) {
      expect(await ended(run.id)).toMatchObject({
        state: i % 2 === 0 ? 'failed' : 'succeeded',
        // A message is kept up to 15,000 characters.
        message: results[i]!.handleMsg.slice(0, 15_000),
      });
    }
  });
});
