import { expect, test } from 'vitest';
import { postJson } from '../../test/support/raw-request.js';
import { getJson } from '../../test/support/ring-server-stage.js';
import { createRingStage } from '../../test/support/ring-stage.js';
import { answerSchemas } from './admin-schemas.js';

/** A ring with an HTTP side, a job that fails, and a run of it that has failed for good. */
async function failedRun() {
  const stage = await createRingStage({ http: { port: 0 } });
  await stage.executor({
    work() {
      throw new Error('Broken Pipe');
    },
  });
  const { id } = await stage.job({ labels: { team: 'x' } });
  const { url } = stage.ring.http!;
  const run = await postJson(url, `/admin/jobs/${id}/trigger`, { params: { a: 1 }, labels: { env: 'p,q' } });
  await stage.clock.settle();
  return { stage, url, jobId: id, run: answerSchemas.run.parse(run.body) };
}

test('runs are asked for over HTTP, many at once and at their time', async () => {
  const { stage, url, jobId } = await failedRun();
  await using _ = stage;
  const items = [{ delayMs: 1e6, uniqueKey: 'k' }, { uniqueKey: 'k' }, { at: '2999-01-01T00:00:00Z' }];
  const many = await postJson(url, `/admin/jobs/${jobId}/trigger-many`, { items });
  expect(many.status).toBe(202);
  const { runs } = answerSchemas.manyRuns.parse(many.body);
  expect(runs.map(({ deduplicated }) => deduplicated)).toEqual([false, true, false]);
  for (const body of [{ items: [{ delay: 1 }] }, { items: [{ uniqueForMs: 1 }] }, {}]) {
    expect((await postJson(url, `/admin/jobs/${jobId}/trigger-many`, body)).status).toBe(400);
  }
  const cancelled = await postJson(url, `/admin/runs/${runs[0]!.id}/cancel`, {});
  expect(cancelled.body).toEqual({ cancelled: true });
  expect((await postJson(url, `/admin/runs/${runs[0]!.id}/cancel`, {})).body).toEqual({ cancelled: false });
  expect((await postJson(url, '/admin/runs/99999/cancel', {})).status).toBe(404);
});

test('runs are found, waited for and retried over HTTP', async () => {
  const { stage, url, jobId, run } = await failedRun();
  await using _ = stage;
  const found = async (query: string) =>
    (await getJson(url, `/admin/runs?${query}`)).body.runs.map(({ id }: { id: number }) => id);
  const labels = encodeURIComponent(JSON.stringify({ env: 'p,q', team: 'x' }));
  for (const query of [
    'dead=true',
    'text=broken%20pipe',
    'labels=team=x',
    `labels=${labels}`,
    'group=default&order=oldest',
  ]) {
    expect(await found(query), query).toEqual([run.id]);
  }
  for (const query of ['dead=false', 'labels=team=y', 'executor=nobody']) expect(await found(query), query).toEqual([]);
  expect((await getJson(url, '/admin/runs?include=params')).body.runs[0]).toMatchObject({ params: { a: 1 } });
  expect((await getJson(url, '/admin/runs')).body.runs[0]).not.toHaveProperty('params');
  for (const query of ['dead=maybe', 'include=all', 'labels={', 'order=up']) {
    expect((await getJson(url, `/admin/runs?${query}`)).status, query).toBe(400);
  }
  expect((await getJson(url, `/admin/runs/${run.id}/wait`)).body).toMatchObject({ id: run.id, state: 'failed' });
  const retry = await postJson(url, `/admin/runs/${run.id}/retry`, {});
  expect([retry.status, retry.body.attempt]).toEqual([202, 2]);
  expect((await postJson(url, `/admin/runs/${run.id}/retry`, {})).status).toBe(409);
  await stage.clock.settle();
  expect((await postJson(url, '/admin/runs/retry', { jobId, dead: true })).body).toEqual({ retried: 1 });
  const far = await stage.ring.jobs.trigger(jobId, { delayMs: 1e6 });
  const late = await getJson(url, `/admin/runs/${far.id}/wait?timeoutMs=0`);
  expect([late.status, late.body.error.code]).toEqual([408, 'wait-timeout']);
  expect((await getJson(url, `/admin/runs/${far.id}/wait?timeoutMs=60001`)).status).toBe(400);
});
