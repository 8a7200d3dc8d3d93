import { request } from 'node:http';
import { connect } from 'node:net';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import { recordingRing } from '../../test/support/recording-ring.js';
import { answerSchemas } from '../admin/admin-schemas.js';
import { silentLogger } from '../logger.js';
import { ringEventNames } from '../ring-events.js';
import type { RingHttpOptions } from '../time-ring-interface.js';
import type { RemoteResult } from './remote-calls.js';
import { createRingServer } from './ring-server.js';

async function server(options: Partial<RingHttpOptions> = {}) {
  const recording = recordingRing();
  const clock = createManualClock({ now: 0 });
  const results: RemoteResult[] = [];
  const port = {
    ring: recording.ring,
    clock,
    log: silentLogger,
    results: vi.fn(async (items: readonly RemoteResult[]) => void results.push(...items)),
  };
  const listening = await createRingServer({ port: 0, ...options }, port);
  onTestFinished(() => listening.close());
  return { ...recording, clock, results, port, url: listening.url, listening };
}

const registration = { registryGroup: 'EXECUTOR', registryKey: 'app', registryValue: 'http://10.0.0.1:9999/' };
const job = { name: 'nightly', handler: 'report', schedule: { kind: 'cron', expression: '0 0 3 * * ?' } };

test('says where it listens: a free port on loopback, no slash at the end', async () => {
  const { listening } = await server();
  expect(listening.host).toBe('127.0.0.1');
  expect(listening.url).toBe(`http://127.0.0.1:${listening.port}`);
});

test.each([
  { story: 'a host that others reach, without a token', options: { host: '0.0.0.0' }, field: 'http.host' },
  { story: 'the same in IPv6', options: { host: '::' }, field: 'http.host' },
  { story: 'an empty token on such a host', options: { host: '0.0.0.0', accessToken: '' }, field: 'http.host' },
  { story: 'a port that is none', options: { port: 70_000 }, field: 'http.port' },
  { story: 'a header that is none', options: { tokenHeader: 'a b' }, field: 'http.tokenHeader' },
  { story: 'a token that fits into no header', options: { accessToken: 'a\nb' }, field: 'http.accessToken' },
  { story: 'another payload field', options: { payloadField: 'body' as never }, field: 'http.payloadField' },
  { story: 'a body limit of zero', options: { maxBodyBytes: 0 }, field: 'http.maxBodyBytes' },
])('$story is a bad-option', async ({ options, field }) => {
  await expect(server(options)).rejects.toMatchObject({ code: 'bad-option', details: { field } });
});

test('a port that is taken is a bad-option', async () => {
  const { listening } = await server();
  await expect(server({ port: listening.port })).rejects.toMatchObject({ code: 'bad-option' });
});

test.each(['', '/xxl-job-admin'])('executors register, leave and call back below "%s"', async (prefix) => {
  const { url, executors, results } = await server();
  expect((await postJson(url, `${prefix}/api/registry`, registration)).body).toEqual({ code: 200, msg: null });
  expect([...executors.values()]).toMatchObject([{ group: 'app', address: 'http://10.0.0.1:9999/' }]);
  const item = { logId: 1, logDateTim: 0, handleCode: 200, handleMsg: 'ok' };
  expect((await postJson(url, `${prefix}/api/callback`, [item])).body).toEqual({ code: 200, msg: null });
  expect(results).toEqual([{ runId: 1, state: 'succeeded', code: 200, message: 'ok' }]);
  expect((await postJson(url, `${prefix}/api/registryRemove`, registration)).body).toMatchObject({ code: 200 });
  expect(executors.size).toBe(0);
});

test('the good items of a callback are recorded before the broken one is told', async () => {
  const { url, results } = await server();
  const { status, body } = await postJson(url, '/api/callback', [
    { logId: 1, handleCode: 200 },
    { logId: 'x' },
    { logId: 2, handleCode: 500 },
  ]);
  expect({ status, body }).toMatchObject({ status: 200, body: { code: 500, msg: expect.stringMatching(/item 1/) } });
  expect(results.map(({ runId }) => runId)).toEqual([1, 2]);
});

test('an empty callback is fine, and what is no array is refused', async () => {
  const { url, port } = await server();
  expect((await postJson(url, '/api/callback', [])).body.code).toBe(200);
  expect((await postJson(url, '/api/callback', {})).body.code).toBe(500);
  expect(port.results).not.toHaveBeenCalled();
});

test('a result that could not be recorded is refused, so that it comes again, and the reason stays here', async () => {
  const { url, port } = await server();
  port.results.mockRejectedValueOnce(new Error('password=hunter2 at /srv/db.js:1'));
  const { status, text, body } = await postJson(url, '/api/callback', [{ logId: 1, handleCode: 200 }]);
  expect({ status, code: body.code }).toEqual({ status: 200, code: 500 });
  expect(text).not.toContain('hunter2');
});

test('more executors than the ring takes are refused', async () => {
  const { url } = await server();
  const codes: number[] = [];
  for (const port of [1, 2, 3, 4]) {
    codes.push(
      (await postJson(url, '/api/registry', { ...registration, registryValue: `http://h:${port}` })).body.code,
    );
  }
  expect(codes).toEqual([200, 200, 200, 500]);
});

test.each([
  { story: 'malformed JSON', request: { method: 'POST', path: '/api/registry', body: '{' }, status: 400 },
  { story: 'no body', request: { method: 'POST', path: '/api/callback' }, status: 400 },
  {
    story: 'a body over the limit',
    request: { method: 'POST', path: '/api/callback', body: 'x'.repeat(2_000) },
    status: 413,
  },
  {
    story: 'a chunked body over the limit',
    request: {
      method: 'POST',
      path: '/api/callback',
      body: 'x'.repeat(2_000),
      headers: { 'transfer-encoding': 'chunked' },
    },
    status: 413,
  },
  { story: 'GET', request: { path: '/api/registry' }, status: 405 },
  { story: 'an unknown path', request: { method: 'POST', path: '/api/nothing', body: '{}' }, status: 404 },
  { story: 'another prefix', request: { method: 'POST', path: '/other/api/registry', body: '{}' }, status: 404 },
  { story: 'a doubled slash', request: { method: 'POST', path: '//api/registry', body: '{}' }, status: 404 },
  { story: 'a path that climbs', request: { method: 'POST', path: '/x/../api/registry', body: '{}' }, status: 404 },
  { story: 'a whole URL as path', request: { method: 'POST', path: 'http://h/api/registry', body: '{}' }, status: 404 },
])('for executors, $story is HTTP $status', async ({ request: options, status }) => {
  const { url } = await server({ maxBodyBytes: 1_000 });
  const answer = await rawRequest(url, options);
  expect(answer.status).toBe(status);
  if (status === 405) expect(answer.headers.allow).toBe('POST');
  expect((await postJson(url, '/api/registry', registration)).status).toBe(200);
});

test('with a token, executors need it in the header, whatever its case; else HTTP 200 and code 500', async () => {
  const { url, executors } = await server({ accessToken: 'secret' });
  for (const headers of [
    {},
    { 'XXL-JOB-ACCESS-TOKEN': 'wrong' },
    { 'XXL-JOB-ACCESS-TOKEN': 'secret2' },
    { authorization: 'Bearer secret' },
  ]) {
    const { status, body } = await postJson(url, '/api/registry', registration, headers);
    expect({ status, code: body.code }).toEqual({ status: 200, code: 500 });
  }
  expect(executors.size).toBe(0);
  expect((await postJson(url, '/api/registry', registration, { 'xxl-job-access-token': 'secret' })).body.code).toBe(
    200,
  );
});

test('the token header may be another, and the payload field is as wanted', async () => {
  const { url } = await server({ accessToken: 'secret', tokenHeader: 'ORTH-ACCESS-TOKEN' });
  expect((await postJson(url, '/api/registry', registration, { 'XXL-JOB-ACCESS-TOKEN': 'secret' })).body.code).toBe(
    500,
  );
  expect((await postJson(url, '/api/registry', registration, { 'ORTH-ACCESS-TOKEN': 'secret' })).body.code).toBe(200);
});

test('without a token, a web page of another place is refused', async () => {
  const { url, executors } = await server();
  const answer = await postJson(url, '/api/registry', registration, {
    origin: 'http://evil.example',
    'content-type': 'text/plain',
  });
  expect(answer.body.code).toBe(500);
  expect(executors.size).toBe(0);
  expect((await postJson(url, '/api/registry', registration, { origin: 'http://localhost:3000' })).body.code).toBe(200);
});

const get = async (url: string, path: string, headers = {}) => {
  const answer = await rawRequest(url, { path, headers });
  return { ...answer, body: JSON.parse(answer.text) };
};

test('jobs are added, read, changed, started, stopped, triggered and removed over HTTP', async () => {
  const { url, asked } = await server();
  const added = await postJson(url, '/admin/jobs', { ...job, params: { a: [1] }, start: true });
  expect(added.status).toBe(201);
  expect(answerSchemas.job.parse(added.body)).toMatchObject({ id: 1, state: 'RUNNING', params: { a: [1] } });
  expect((await get(url, '/admin/jobs/1')).body).toEqual(added.body);
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
  expect((await get(url, '/admin/jobs/1')).body).toEqual({
    error: { code: 'unknown-job', message: expect.any(String) },
  });
});

test('lists take their filters from the query, numbers as numbers', async () => {
  const { url, asked } = await server();
  expect(
    answerSchemas.jobs.parse(
      (await get(url, '/admin/jobs?state=RUNNING&executorGroup=a%20b&limit=1000&cursor=x')).body,
    ),
  ).toEqual({ jobs: [], cursor: null });
  expect(
    answerSchemas.runs.parse(
      (await get(url, '/admin/runs?jobId=1&fireId=2&state=failed&triggerType=retry&from=-5&to=9&limit=1')).body,
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
  const { url, asked } = await server();
  await postJson(url, '/admin/jobs', job);
  for (let run = 1; run <= 2; run++) await postJson(url, '/admin/jobs/1/trigger', {});
  expect(answerSchemas.run.parse((await get(url, '/admin/runs/1')).body).id).toBe(1);
  const log = await get(url, '/admin/runs/1/log?fromLine=3');
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
    expect(await get(url, path)).toMatchObject({ status: 404, body: { error: { code: 'unknown-run' } } });
  }
  expect(await postJson(url, '/admin/runs/9/kill', {})).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown-run' } },
  });
});

test('executors are listed, by group too', async () => {
  const { url } = await server();
  await postJson(url, '/api/registry', registration);
  expect(answerSchemas.executors.parse((await get(url, '/admin/executors')).body).executors).toHaveLength(1);
  expect((await get(url, '/admin/executors?group=other')).body).toEqual({ executors: [] });
});

test('an export is imported', async () => {
  const { url } = await server();
  const text = JSON.stringify([{ id: 4, job_group: 1, job_desc: 'd', executor_handler: 'h' }]);
  const answer = await postJson(url, '/admin/import', { text, format: 'json', dryRun: false });
  expect(answer.status).toBe(200);
  expect(answerSchemas.importReport.parse(answer.body)).toEqual({
    imported: [{ xxlId: 4, jobId: 1, name: 'd' }],
    skipped: [],
  });
  expect(await postJson(url, '/admin/import', { text: 'nonsense' })).toMatchObject({
    status: 400,
    body: { error: { code: 'bad-import' } },
  });
});

const long = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;

test.each([
  { story: 'malformed JSON', body: '{"name"', at: undefined },
  { story: 'no body', body: '', at: undefined },
  { story: 'an array', body: '[]', at: '' },
  { story: 'an unknown key', body: JSON.stringify({ ...job, colour: 'red' }), at: 'colour' },
  {
    story: 'an unknown key further in',
    body: JSON.stringify({ ...job, schedule: { kind: 'none', x: 1 } }),
    at: 'schedule.x',
  },
  { story: 'a wrong type', body: JSON.stringify({ ...job, retries: '2' }), at: 'retries' },
  { story: 'a wrong name of a strategy', body: JSON.stringify({ ...job, route: 'NEAREST' }), at: 'route' },
  { story: 'something missing', body: JSON.stringify({ name: 'x', handler: 'y' }), at: 'schedule' },
  { story: '__proto__', body: '{"__proto__":{"start":true},"name":"x"}', at: '__proto__' },
  {
    story: '__proto__ in params',
    body: `{"name":"x","handler":"h","schedule":{"kind":"none"},"params":{"__proto__":{}}}`,
    at: 'params.__proto__',
  },
  {
    story: 'a nesting without end',
    body: `{"name":"x","handler":"h","schedule":{"kind":"none"},"params":${long}}`,
    at: expect.any(String),
  },
  { story: 'a hundred thousand brackets', body: '['.repeat(100_000) + ']'.repeat(100_000), at: expect.any(String) },
])('a job with $story is a 400 that says where', async ({ body, at }) => {
  const { url } = await server();
  const answer = await postJson(url, '/admin/jobs', body);
  expect(answer.status).toBe(400);
  expect(answerSchemas.error.parse(answer.body).error.issues?.[0]?.path).toEqual(at);
  expect(answer.text).not.toMatch(/\.js:|\.ts:|at /);
  expect((await get(url, '/admin/jobs')).body.jobs).toEqual([]);
});

test('what the ring refuses is told with its code and its field', async () => {
  const { url } = await server();
  const answer = await postJson(url, '/admin/jobs', { ...job, schedule: { kind: 'cron', expression: 'often' } });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: 'bad-schedule', issues: [{ path: 'schedule.expression' }] } },
  });
  await postJson(url, '/admin/jobs', { ...job, schedule: { kind: 'none' } });
  expect(await postJson(url, '/admin/jobs/1/start', {})).toMatchObject({
    status: 409,
    body: { error: { code: 'not-schedulable' } },
  });
});

test.each([
  { path: '/admin/jobs?limit=0', status: 400 },
  { path: '/admin/jobs?limit=1001', status: 400 },
  { path: '/admin/jobs?limit=ten', status: 400 },
  { path: '/admin/jobs?limit=1e2', status: 400 },
  { path: '/admin/jobs?limit=1&limit=2', status: 400 },
  { path: '/admin/jobs?state=running', status: 400 },
  { path: '/admin/jobs?sate=RUNNING', status: 400 },
  { path: '/admin/runs?from=1.5', status: 400 },
  { path: '/admin/health?x=1', status: 400 },
  { path: '/admin/jobs/abc', status: 400 },
  { path: '/admin/jobs/1.0', status: 400 },
  { path: '/admin/jobs/-1', status: 400 },
  { path: '/admin/jobs/99999999999999999999', status: 400 },
  { path: '/admin/jobs/0', status: 404 },
  { path: '/admin/jobs/', status: 404 },
  { path: '/admin/jobs/1/', status: 404 },
  { path: '/admin', status: 404 },
  { path: '/admin/', status: 404 },
  { path: '/admin/../admin/jobs', status: 404 },
  { path: '/admin/%6aobs', status: 404 },
  { path: '/ADMIN/jobs', status: 404 },
  { path: '/admin/jobs/__proto__/start', status: 405 },
  { path: '/admin/constructor', status: 404 },
  { path: '/', status: 404 },
])('GET $path is HTTP $status', async ({ path, status }) => {
  const { url } = await server();
  expect((await rawRequest(url, { path })).status).toBe(status);
});

test.each([
  { method: 'PUT', path: '/admin/jobs', allow: 'GET, HEAD, POST' },
  { method: 'POST', path: '/admin/jobs/1', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'OPTIONS', path: '/admin/jobs', allow: 'GET, HEAD, POST' },
  { method: 'GET', path: '/admin/jobs/1/start', allow: 'POST' },
  { method: 'DELETE', path: '/admin/health', allow: 'GET, HEAD' },
])('$method $path is HTTP 405 and says what is allowed', async ({ method, path, allow }) => {
  const { url } = await server();
  const answer = await rawRequest(url, { method, path });
  expect(answer).toMatchObject({ status: 405, headers: { allow } });
  expect(answerSchemas.error.parse(JSON.parse(answer.text)).error.code).toBe('method-not-allowed');
});

test('HEAD is GET without the body', async () => {
  const { url } = await server();
  for (const path of ['/admin/health', '/admin/metrics', '/admin/jobs', '/admin/events']) {
    expect(await rawRequest(url, { method: 'HEAD', path })).toMatchObject({ status: 200, text: '' });
  }
});

test.each([
  { story: 'no content type', headers: {} },
  { story: 'that of a form', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  { story: 'plain text', headers: { 'content-type': 'text/plain' } },
  { story: 'something like JSON', headers: { 'content-type': 'application/json-seq' } },
  { story: 'another character set', headers: { 'content-type': 'application/json; charset=utf-16' } },
  { story: 'a packed body', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
])('a POST with $story is HTTP 415', async ({ headers }) => {
  const { url } = await server();
  for (const path of ['/admin/jobs', '/admin/jobs/1/start']) {
    expect((await rawRequest(url, { method: 'POST', path, body: JSON.stringify(job), headers })).status).toBe(415);
  }
});

test('a body over the limit is HTTP 413, and the server lives on', async () => {
  const { url } = await server({ maxBodyBytes: 1_000 });
  const answer = await postJson(url, '/admin/jobs', { ...job, params: 'x'.repeat(2_000) });
  expect(answer).toMatchObject({
    status: 413,
    body: { error: { code: 'body-too-large' } },
    headers: { connection: 'close' },
  });
  expect((await get(url, '/admin/health')).status).toBe(200);
});

test('a body of many times the limit is HTTP 413 too, and its sender hears it', async () => {
  const { url } = await server({ maxBodyBytes: 1_000 });
  for (const path of ['/admin/jobs', '/api/callback']) {
    for (const body of ['x'.repeat(4_000_000), new Blob(['x'.repeat(4_000_000)]).stream()]) {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        duplex: 'half',
      } as RequestInit);
      expect(answer.status).toBe(413);
    }
  }
});

test('with a token everything but health and readiness wants it', async () => {
  const { url } = await server({ accessToken: 'secret' });
  const paths = [
    '/admin/jobs',
    '/admin/metrics',
    '/admin/openapi.json',
    '/admin/events',
    '/admin/executors',
    '/admin/nothing',
  ];
  for (const path of paths) {
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'secret' },
      { authorization: 'Basic secret' },
      { 'xxl-job-access-token': 'secret' },
    ]) {
      expect(await get(url, path, headers)).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthorized' } },
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
  }
  expect((await get(url, '/admin/jobs', { authorization: 'Bearer secret' })).status).toBe(200);
  expect((await get(url, '/admin/jobs', { authorization: 'bearer secret' })).status).toBe(200);
  for (const path of ['/admin/health', '/admin/ready']) expect((await get(url, path)).status).toBe(200);
});

test.each([
  { host: 'evil.example', status: 403 },
  { host: 'evil.example:80', status: 403 },
  { host: '127.0.0.1.evil.example', status: 403 },
  { host: 'localhost.evil.example', status: 403 },
  { host: '10.0.0.1', status: 403 },
  { host: 'localhost', status: 200 },
  { host: 'localhost:1234', status: 200 },
  { host: 'LOCALHOST:1234', status: 200 },
  { host: '127.0.0.1:1', status: 200 },
  { host: '127.8.9.10', status: 200 },
  { host: '[::1]:8080', status: 200 },
])('without a token, Host: $host is HTTP $status', async ({ host, status }) => {
  const { url } = await server();
  for (const path of ['/admin/jobs', '/admin/health'])
    expect((await rawRequest(url, { path, headers: { host } })).status).toBe(status);
});

test('with a token any host will do', async () => {
  const { url } = await server({ accessToken: 'secret' });
  const headers = { host: 'ring.example', authorization: 'Bearer secret' };
  expect((await rawRequest(url, { path: '/admin/jobs', headers })).status).toBe(200);
});

test('health is told as it is; readiness is a yes or a no', async () => {
  const { url, health } = await server();
  expect(answerSchemas.health.parse((await get(url, '/admin/health')).body)).toEqual(health);
  expect(await get(url, '/admin/ready')).toMatchObject({ status: 200, body: { ready: true, problem: null } });
  Object.assign(health, { status: 'degraded', problem: 'no pass for 7 s' });
  expect((await get(url, '/admin/health')).status).toBe(200);
  expect(await get(url, '/admin/ready')).toMatchObject({
    status: 503,
    body: { ready: false, problem: 'no pass for 7 s' },
  });
});

test('every counter and gauge is there for Prometheus', async () => {
  const { url } = await server();
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
  const { url } = await server();
  const { body } = await get(url, '/admin/openapi.json');
  expect(body.openapi).toMatch(/^3\./);
  const routes = Object.entries(body.paths).map(([path, methods]) => [path, Object.keys(methods as object).sort()]);
  expect(Object.fromEntries(routes)).toEqual({
    '/admin/health': ['get'],
    '/admin/ready': ['get'],
    '/admin/metrics': ['get'],
    '/admin/openapi.json': ['get'],
    '/admin/jobs': ['get', 'post'],
    '/admin/jobs/{id}': ['delete', 'get', 'patch'],
    '/admin/jobs/{id}/start': ['post'],
    '/admin/jobs/{id}/stop': ['post'],
    '/admin/jobs/{id}/trigger': ['post'],
    '/admin/jobs/{id}/trigger-range': ['post'],
    '/admin/runs': ['get'],
    '/admin/runs/{id}': ['get'],
    '/admin/runs/{id}/log': ['get'],
    '/admin/runs/{id}/kill': ['post'],
    '/admin/executors': ['get'],
    '/admin/events': ['get'],
    '/admin/import': ['post'],
  });
  const { post, get: list } = body.paths['/admin/jobs'];
  expect(list.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'state',
    'executorGroup',
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

async function listen(url: string) {
  const lines: string[] = [];
  const stream = await new Promise<import('node:http').IncomingMessage>((resolve) => {
    request(`${url}/admin/events`, resolve).end();
  });
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => void lines.push(text));
  return { stream, text: () => lines.join('') };
}

test('every event is passed on by its name, and a comment comes every 15 s', async () => {
  const { url, emit, clock } = await server();
  const { stream, text } = await listen(url);
  expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
  await vi.waitFor(() => expect(text()).toContain(': listening'));
  for (const name of ringEventNames) emit(name, { jobId: 1, text: 'a\nb' } as never);
  emit('pass-failed', { at: 5, error: new Error('lost') });
  await vi.waitFor(() => expect(text()).toContain('"message":"lost"'));
  const told = text()
    .split('\n\n')
    .filter((part) => part.startsWith('event: '));
  expect(told.slice(0, ringEventNames.length)).toEqual(
    ringEventNames.map((name) => `event: ${name}\ndata: {"jobId":1,"text":"a\\nb"}`),
  );
  expect(text()).not.toMatch(/\.ts:\d/);
  const before = text().length;
  await clock.advanceBy(15_000);
  await vi.waitFor(() => expect(text().slice(before)).toMatch(/^:/m));
});

test('nobody listens, nothing is kept: the events are left when the last listener goes', async () => {
  const { url, clock, emit } = await server();
  const { stream } = await listen(url);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  stream.destroy();
  await vi.waitFor(() => expect(clock.sleepers).toBe(0));
  emit('job-removed', { jobId: 1 });
});

test('closing ends streams and half-sent requests, and twice is fine', async () => {
  const { url, listening } = await server();
  const { stream } = await listen(url);
  const ended = new Promise((resolve) => stream.once('close', resolve));
  const half = connect(listening.port, '127.0.0.1');
  half.on('error', () => {});
  half.write(
    'POST /admin/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  const idle = rawRequest(url, { path: '/admin/health', headers: { connection: 'keep-alive' } });
  await idle;
  await Promise.all([listening.close(), listening.close()]);
  await ended;
  await expect(rawRequest(url, { path: '/admin/health' })).rejects.toThrow();
});
