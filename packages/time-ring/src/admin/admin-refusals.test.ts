import { expect, test } from 'vitest';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import { getJson, job, ringServer } from '../../test/support/ring-server-stage.js';
import { answerSchemas } from './admin-schemas.js';

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
  const { url } = await ringServer();
  const answer = await postJson(url, '/admin/jobs', body);
  expect(answer.status).toBe(400);
  expect(answerSchemas.error.parse(answer.body).error.issues?.[0]?.path).toEqual(at);
  expect(answer.text).not.toMatch(/\.js:|\.ts:|at /);
  expect((await getJson(url, '/admin/jobs')).body.jobs).toEqual([]);
});

test('what the ring refuses is told with its code and its field', async () => {
  const { url } = await ringServer();
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
  { path: '/admin/jobs/abc', status: 404 },
  { path: '/admin/jobs/1.0', status: 404 },
  { path: '/admin/jobs/-1', status: 404 },
  { path: '/admin/jobs/99999999999999999999', status: 400 },
  { path: '/admin/jobs/0', status: 404 },
  { path: '/admin/jobs/%ff', status: 400 },
  { path: '/admin/runs/abc', status: 400 },
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
  const { url } = await ringServer();
  expect((await rawRequest(url, { path })).status).toBe(status);
});

test.each([
  { method: 'PATCH', path: '/admin/jobs', allow: 'GET, HEAD, POST, PUT' },
  { method: 'POST', path: '/admin/jobs/1', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'OPTIONS', path: '/admin/jobs', allow: 'GET, HEAD, POST, PUT' },
  { method: 'GET', path: '/admin/jobs/1/start', allow: 'POST' },
  { method: 'DELETE', path: '/admin/health', allow: 'GET, HEAD' },
])('$method $path is HTTP 405 and says what is allowed', async ({ method, path, allow }) => {
  const { url } = await ringServer();
  const answer = await rawRequest(url, { method, path });
  expect(answer).toMatchObject({ status: 405, headers: { allow } });
  expect(answerSchemas.error.parse(JSON.parse(answer.text)).error.code).toBe('method-not-allowed');
});

test('HEAD is GET without the body', async () => {
  const { url } = await ringServer();
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
  const { url } = await ringServer();
  for (const path of ['/admin/jobs', '/admin/jobs/1/start']) {
    expect((await rawRequest(url, { method: 'POST', path, body: JSON.stringify(job), headers })).status).toBe(415);
  }
});

test('a body over the limit is HTTP 413, and the server lives on', async () => {
  const { url } = await ringServer({ maxBodyBytes: 1_000 });
  const answer = await postJson(url, '/admin/jobs', { ...job, params: 'x'.repeat(2_000) });
  expect(answer).toMatchObject({
    status: 413,
    body: { error: { code: 'body-too-large' } },
    headers: { connection: 'close' },
  });
  expect((await getJson(url, '/admin/health')).status).toBe(200);
});

test('a body of many times the limit is HTTP 413 too, and its sender hears it', async () => {
  const { url } = await ringServer({ maxBodyBytes: 1_000 });
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
  const { url } = await ringServer({ accessToken: 'secret' });
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
      expect(await getJson(url, path, headers)).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthorized' } },
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
  }
  expect((await getJson(url, '/admin/jobs', { authorization: 'Bearer secret' })).status).toBe(200);
  expect((await getJson(url, '/admin/jobs', { authorization: 'bearer secret' })).status).toBe(200);
  for (const path of ['/admin/health', '/admin/ready']) expect((await getJson(url, path)).status).toBe(200);
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
  const { url } = await ringServer();
  for (const path of ['/admin/jobs', '/admin/health'])
    expect((await rawRequest(url, { path, headers: { host } })).status).toBe(status);
});

test('with a token any host will do', async () => {
  const { url } = await ringServer({ accessToken: 'secret' });
  const headers = { host: 'ring.example', authorization: 'Bearer secret' };
  expect((await rawRequest(url, { path: '/admin/jobs', headers })).status).toBe(200);
});
