import { expect, test } from 'vitest';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import { getJson, job, registration, ringServer } from '../../test/support/ring-server-stage.js';
import { answerSchemas } from './admin-schemas.js';

test('jobs are added, read, changed, started, stopped, triggered and removed over HTTP', async () => {
  const { url, asked } = await ringServer();
  const added = await postJson(url, '/admin/jobs', { ...job, params: { a: [1] }, start: true });
  expect(added.status).toBe(201);
  expect(answerSchemas.job.parse(added.body)).toMatchObject({ id: 1, state: 'RUNNING', params: { a: [1] } });
  expect((await getJson(url, '/admin/jobs/1')).body).toEqual(added.body);
  const changed = await rawRequest(url, {
    method: 'PATCH',
    path: '/admin/jobs/1',
    body: '{"retries":2}',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
  expect(JSON.parse(changed.text)).toMatchObject({ retries: 2, params: { a: [1] }, name: 'nightly' });
  expect((await postJson(url, '/admin/jobs/1/stop', '')).body.state).toBe('STOPPED');
  expect((await postJson(url, '/admin/jobs/1/start', {})).body.state).toBe('RUNNING');
  const triggered = await postJson(url, '/admin/jobs/1/trigger', { params: 'p', scheduleTime: 60_000 });
  expect(triggered.status).toBe(202);
  expect(answerSchemas.run.parse(triggered.body)).toMatchObject({ jobId: 1, params: 'p', scheduleTime: 60_000 });
  expect((await postJson(url, '/admin/jobs/1/trigger', '')).status).toBe(202);
  const range = await postJson(url, '/admin/jobs/1/trigger-range', { from: 0, to: 9, limit: 5 });
  expect(range.status).toBe(202);
  expect(answerSchemas.triggeredRuns.parse(range.body).truncated).toBe(false);
  expect(asked.find(({ name }) => name === 'triggerRange')?.options).toEqual({ from: 0, to: 9, limit: 5 });
  const removed = await rawRequest(url, { method: 'DELETE', path: '/admin/jobs/1' });
  expect(removed).toMatchObject({ status: 204, text: '' });
  expect((await getJson(url, '/admin/jobs/1')).body).toEqual({
    error: { code: 'unknown-job', message: expect.any(String) },
  });
});

test('lists take their filters from the query, numbers as numbers', async () => {
  const { url, asked } = await ringServer();
  expect(
    answerSchemas.jobs.parse(
      (await getJson(url, '/admin/jobs?state=RUNNING&executorGroup=a%20b&limit=1000&cursor=x')).body,
    ),
  ).toEqual({ jobs: [], cursor: null });
  expect(
    answerSchemas.runs.parse(
      (await getJson(url, '/admin/runs?jobId=1&fireId=2&state=failed&triggerType=retry&from=-5&to=9&limit=1')).body,
    ),
  ).toEqual({ runs: [], cursor: 'next' });
  expect(asked).toEqual([
    { name: 'list', options: { state: 'RUNNING', executorGroup: 'a b', limit: 1_000, cursor: 'x' } },
    {
      name: 'runs',
      options: { jobId: 1, fireId: 2, state: 'failed', triggerType: 'retry', from: -5, to: 9, limit: 1 },
    },
  ]);
});

test('runs are read and killed, and their log is data', async () => {
  const { url, asked } = await ringServer();
  await postJson(url, '/admin/jobs', job);
  for (let run = 1; run <= 2; run++) await postJson(url, '/admin/jobs/1/trigger', {});
  expect(answerSchemas.run.parse((await getJson(url, '/admin/runs/1')).body).id).toBe(1);
  const log = await getJson(url, '/admin/runs/1/log?fromLine=3');
  expect(log.body).toEqual({ lines: ['<script>alert(1)</script>'], nextLine: 1, end: false });
  expect(log.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'x-content-type-options': 'nosniff',
  });
  expect(asked.at(-1)).toEqual({ name: 'log', options: { fromLine: 3 } });
  expect((await postJson(url, '/admin/runs/1/kill', {})).body).toEqual({ killed: true });
  expect(await postJson(url, '/admin/runs/2/kill', {})).toMatchObject({
    status: 409,
    body: { error: { code: 'kill-refused' } },
  });
  for (const path of ['/admin/runs/9', '/admin/runs/9/log']) {
    expect(await getJson(url, path)).toMatchObject({ status: 404, body: { error: { code: 'unknown-run' } } });
  }
  expect(await postJson(url, '/admin/runs/9/kill', {})).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown-run' } },
  });
});

test('executors are listed, by group too', async () => {
  const { url } = await ringServer();
  await postJson(url, '/api/registry', registration);
  expect(answerSchemas.executors.parse((await getJson(url, '/admin/executors')).body).executors).toHaveLength(1);
  expect((await getJson(url, '/admin/executors?group=other')).body).toEqual({ executors: [] });
});

test('an export is imported', async () => {
  const { url } = await ringServer();
  const text = JSON.stringify([{ id: 4, job_group: 1, job_desc: 'd', executor_handler: 'h' }]);
  const answer = await postJson(url, '/admin/import', { text, format: 'json', dryRun: false });
  expect(answer.status).toBe(200);
  expect(answerSchemas.importReport.parse(answer.body)).toEqual({
    imported: [{ xxlId: 4, jobId: 1, name: 'd' }],
    skipped: [],
    warnings: [],
  });
  expect(await postJson(url, '/admin/import', { text: 'nonsense' })).toMatchObject({
    status: 400,
    body: { error: { code: 'bad-import' } },
  });
});

test('health is told as it is; readiness is a yes or a no', async () => {
  const { url, health } = await ringServer();
  expect(answerSchemas.health.parse((await getJson(url, '/admin/health')).body)).toEqual(health);
  expect(await getJson(url, '/admin/ready')).toMatchObject({ status: 200, body: { ready: true, problem: null } });
  Object.assign(health, { status: 'degraded', problem: 'no pass for 7 s' });
  expect((await getJson(url, '/admin/health')).status).toBe(200);
  expect(await getJson(url, '/admin/ready')).toMatchObject({
    status: 503,
    body: { ready: false, problem: 'no pass for 7 s' },
  });
});

test('every counter and gauge is there for Prometheus', async () => {
  const { url } = await ringServer();
  const { text, headers } = await rawRequest(url, { path: '/admin/metrics' });
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples).toEqual([
    'horae_ring_passes_total 1',
    'horae_ring_passes_failed_total 2',
    'horae_ring_claimed_total 3',
    'horae_ring_fired_total 4',
    'horae_ring_misfired_total 5',
    'horae_ring_succeeded_total 6',
    'horae_ring_failed_total 7',
    'horae_ring_killed_total 8',
    'horae_ring_retried_total 9',
    'horae_ring_refused_total 10',
    'horae_ring_ring_size 11',
    'horae_ring_pool_running{pool="fast"} 12',
    'horae_ring_pool_running{pool="slow"} 14',
    'horae_ring_pool_queued{pool="fast"} 13',
    'horae_ring_pool_queued{pool="slow"} 15',
  ]);
});

test('the OpenAPI document has every route, with its parameters, bodies and answers', async () => {
  const { url } = await ringServer();
  const { body } = await getJson(url, '/admin/openapi.json');
  expect(body.openapi).toMatch(/^3\./);
  const routes = Object.entries(body.paths).map(([path, methods]) => [path, Object.keys(methods as object).sort()]);
  expect(Object.fromEntries(routes)).toEqual({
    '/admin/health': ['get'],
    '/admin/alerts': ['get'],
    '/admin/nodes': ['get'],
    '/admin/alerts/deliveries': ['get'],
    '/admin/alerts/test': ['post'],
    '/admin/groups/{name}/alerts': ['put'],
    '/admin/ready': ['get'],
    '/admin/recent-runs': ['get'],
    '/admin/report': ['get'],
    '/admin/schedule': ['get'],
    '/admin/metrics': ['get'],
    '/admin/openapi.json': ['get'],
    '/admin/jobs': ['get', 'post', 'put'],
    '/admin/jobs/sync': ['post'],
    '/admin/jobs/{id}': ['delete', 'get', 'patch'],
    '/admin/jobs/{id}/start': ['post'],
    '/admin/jobs/{id}/stop': ['post'],
    '/admin/jobs/{id}/trigger': ['post'],
    '/admin/jobs/{id}/trigger-range': ['post'],
    '/admin/jobs/{id}/trigger-many': ['post'],
    '/admin/runs/retry': ['post'],
    '/admin/runs/{id}/retry': ['post'],
    '/admin/runs/{id}/cancel': ['post'],
    '/admin/runs/{id}/wait': ['get'],
    '/admin/runs': ['get'],
    '/admin/runs/{id}': ['get'],
    '/admin/runs/{id}/log': ['get'],
    '/admin/runs/{id}/kill': ['post'],
    '/admin/flows': ['get', 'post'],
    '/admin/flows/{id}': ['get'],
    '/admin/flows/{id}/graph': ['get'],
    '/admin/flows/{id}/cancel': ['post'],
    '/admin/groups': ['get', 'put'],
    '/admin/groups/{name}': ['delete'],
    '/admin/groups/{name}/pause': ['post'],
    '/admin/groups/{name}/resume': ['post'],
    '/admin/calendars': ['get', 'put'],
    '/admin/calendars/{name}': ['delete', 'get'],
    '/admin/executors': ['get'],
    '/admin/events': ['get'],
    '/admin/import': ['post'],
  });
  const { post, get: list } = body.paths['/admin/jobs'];
  expect(list.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'state',
    'executorGroup',
    'text',
    'hasAlerts',
    'limit',
    'cursor',
  ]);
  const schema = post.requestBody.content['application/json'].schema;
  expect(schema.required.sort()).toEqual(['handler', 'name', 'schedule']);
  expect(schema.additionalProperties).toBe(false);
  expect(body.paths['/admin/jobs/{id}'].get.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
  expect(JSON.stringify(body)).not.toContain('#/$defs');
  const ids = Object.values(body.paths).flatMap((methods) =>
    Object.values(methods as object).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});
