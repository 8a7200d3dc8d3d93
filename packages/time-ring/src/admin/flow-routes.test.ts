import { expect, test } from 'vitest';
import { postJson } from '../../test/support/raw-request.js';
import { getJson } from '../../test/support/ring-server-stage.js';
import { createRingStage } from '../../test/support/ring-stage.js';

test('flows are started, read, listed and cancelled over HTTP', async () => {
  await using stage = await createRingStage({ http: { port: 0 } });
  await stage.executor({ work: ({ params }) => params });
  await stage.job({ key: 'work' });
  await stage.job({ name: 'nobody has it', key: 'stuck' });
  const { url } = stage.ring.http!;
  const steps = { a: { job: 'work', params: 1 }, b: { job: 'work', after: ['a'], params: { from: 'a' } } };
  const started = await postJson(url, '/admin/flows', { name: 'f', steps });
  expect(started).toMatchObject({ status: 201, body: { id: 1, state: 'running', steps: { b: { state: 'waiting' } } } });
  await stage.clock.settle();
  const { body } = await getJson(url, '/admin/flows/1');
  expect(body).toMatchObject({ state: 'succeeded', steps: { a: { state: 'succeeded' }, b: { state: 'succeeded' } } });
  expect((await stage.ring.runs.get(body.steps.b.runId))!.result).toEqual({ from: 1 });
  expect((await getJson(url, '/admin/flows/1/graph')).body).toEqual({
    steps: [
      { name: 'a', jobId: 1, after: [] },
      { name: 'b', jobId: 1, after: ['a'] },
    ],
  });
  expect((await getJson(url, '/admin/flows/9/graph')).status).toBe(404);
  const stuck = await postJson(url, '/admin/flows', { name: 'g', steps: { a: { job: 'stuck' } } });
  expect((await getJson(url, '/admin/flows?state=running')).body.flows).toMatchObject([{ id: stuck.body.id }]);
  expect((await getJson(url, '/admin/flows?name=f')).body).toEqual({ flows: [body], cursor: null });
  expect((await postJson(url, `/admin/flows/${stuck.body.id}/cancel`, {})).body).toEqual({ cancelled: true });
  expect((await postJson(url, `/admin/flows/${stuck.body.id}/cancel`, {})).body).toEqual({ cancelled: false });
});

test('a flow that cannot be is refused over HTTP with what is wrong', async () => {
  await using stage = await createRingStage({ http: { port: 0 } });
  await stage.job({ key: 'work' });
  const { url } = stage.ring.http!;
  const cases = [
    { steps: {}, status: 400, code: 'bad-flow' },
    { steps: { a: { job: 'work', after: ['a'] } }, status: 400, code: 'bad-flow' },
    { steps: { a: { job: 'work', when: 'sometimes' } }, status: 400, code: 'bad-request' },
    { steps: { a: { job: 'nobody' } }, status: 404, code: 'unknown-job' },
    { steps: { a: { job: 'work', params: 'x'.repeat(70_000) } }, status: 400, code: 'params-too-large' },
  ];
  for (const { steps, status, code } of cases) {
    const answer = await postJson(url, '/admin/flows', { name: 'f', steps });
    expect([answer.status, answer.body.error.code], JSON.stringify(steps).slice(0, 80)).toEqual([status, code]);
  }
  expect((await getJson(url, '/admin/flows')).body).toEqual({ flows: [], cursor: null });
  expect((await getJson(url, '/admin/flows/7')).status).toBe(404);
  expect((await postJson(url, '/admin/flows/7/cancel', {})).status).toBe(404);
});
