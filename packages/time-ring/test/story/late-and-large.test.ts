import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/network-databases.js';
import { networkStage } from '../support/network-stage.js';
import { rawRequest } from '../support/raw-request.js';
import { createRingStage, EVERY_SECOND, held, START } from '../support/ring-stage.js';

onEveryDatabase(() => {
  test('a handler that succeeds after its run has timed out is told as refused, and counted', async () => {
    await using stage = await createRingStage();
    const { runs, handler } = held();
    await stage.executor({ work: handler });
    const run = await stage.ring.jobs.trigger((await stage.job({ timeoutMs: 1_500 })).id);
    await stage.clock.advanceBy(2_000);
    expect(await stage.ring.runs.get(run.id)).toMatchObject({ state: 'failed', code: 502 });
    runs[0]!.go.resolve('late');
    await stage.clock.settle();
    expect(stage.heard.filter(({ name }) => name === 'result-refused')).toEqual([
      { name: 'result-refused', event: { runId: run.id, reason: 'already-over' } },
    ]);
    expect(stage.ring.metrics().refused).toBe(1);
    expect(await stage.ring.runs.get(run.id)).toMatchObject({ state: 'failed', code: 502 });
  });

  test('a handler that fails or is killed says no more', async () => {
    await using stage = await createRingStage();
    const { runs, handler } = held();
    await stage.executor({ work: handler });
    const { id } = await stage.job({ timeoutMs: 1_500 });
    await stage.ring.jobs.trigger(id);
    await stage.clock.advanceBy(2_000);
    runs[0]!.go.reject(new Error('aborted'));
    const killed = await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    await stage.ring.runs.kill(killed.id);
    runs[1]!.go.resolve('too late');
    await stage.clock.settle();
    expect(stage.names()).not.toContain('result-refused');
  });
});

test('parameters are at most maxParamsBytes of JSON, 64 KiB by default, wherever they come from', async () => {
  await using stage = await createRingStage();
  const tooLarge = expect.objectContaining({
    code: 'params-too-large',
    details: expect.objectContaining({ field: 'params', limit: 65_536 }),
  });
  // Two quotes, and three bytes a character.
  const most = `${'\u20ac'.repeat(21_844)}xx`;
  const { id } = await stage.job({ params: most });
  await expect(stage.job({ params: `${most}x` })).rejects.toEqual(tooLarge);
  await expect(stage.ring.jobs.update(id, { params: `${most}x` })).rejects.toEqual(tooLarge);
  await expect(stage.ring.jobs.trigger(id, { params: `${most}x` })).rejects.toEqual(tooLarge);
  expect(await stage.runs()).toEqual([]);
  expect((await stage.ring.jobs.update(id, { retries: 1 })).params).toBe(most);
});

test('the limit of parameters is an option', async () => {
  await using stage = await createRingStage({ maxParamsBytes: 10 });
  await expect(stage.job({ params: '123456789' })).rejects.toMatchObject({ code: 'params-too-large' });
  expect((await stage.job({ params: '12345678' })).params).toBe('12345678');
});

test('a range of runs with large parameters gives as many as fit into an answer, and says that there are more', async () => {
  await using stage = await createRingStage();
  const { id } = await stage.job({ schedule: EVERY_SECOND, params: 'x'.repeat(65_000) });
  const range = { from: START, to: START + 10_000_000, limit: 10_000 };
  const { runs, truncated } = await stage.ring.jobs.triggerRange(id, range);
  expect(truncated).toBe(true);
  expect(runs.length).toBeGreaterThan(400);
  expect(JSON.stringify(runs).length).toBeLessThan(40_000_000);
});

test('start, stop, trigger and kill need no body and no content type, except from pages of other sites', async () => {
  const { ring, url, job } = await networkStage();
  const { id } = await job({ schedule: EVERY_SECOND });
  const post = (path: string, headers = {}) => rawRequest(url, { method: 'POST', path, headers });
  expect((await post(`/admin/jobs/${id}/start`)).status).toBe(200);
  expect((await post(`/admin/jobs/${id}/stop`, { 'content-length': '0' })).status).toBe(200);
  const triggered = await post(`/admin/jobs/${id}/trigger`);
  expect(triggered.status).toBe(202);
  expect((await post(`/admin/runs/${JSON.parse(triggered.text).id}/kill`)).status).toBe(200);
  expect((await post(`/admin/jobs/${id}/start`, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await ring.jobs.get(id))?.state).toBe('STOPPED');
  expect((await post('/admin/jobs')).status).toBe(415);
});
