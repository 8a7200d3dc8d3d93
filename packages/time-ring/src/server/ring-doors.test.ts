import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import { getJson, registration, ringServer } from '../../test/support/ring-server-stage.js';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const wire = (token: string) => ({ 'XXL-JOB-ACCESS-TOKEN': token });

test('a token with spaces inside opens both doors', async () => {
  const { url } = await ringServer({ accessToken: 'two  words' });
  expect((await getJson(url, '/admin/jobs', bearer('two  words'))).status).toBe(200);
  expect((await getJson(url, '/admin/jobs', bearer('two words'))).status).toBe(401);
  expect((await postJson(url, '/api/registry', registration, wire('two  words'))).body.code).toBe(200);
});

test('with two tokens executors cannot administer, and administrators are no executors', async () => {
  const { url } = await ringServer({ accessToken: 'executor', adminToken: 'admin' });
  expect((await getJson(url, '/admin/jobs', bearer('admin'))).status).toBe(200);
  expect((await getJson(url, '/admin/jobs', bearer('executor'))).status).toBe(401);
  expect((await postJson(url, '/api/registry', registration, wire('executor'))).body.code).toBe(200);
  expect((await postJson(url, '/api/registry', registration, wire('admin'))).body.code).toBe(500);
});

test('with only an adminToken executors need none, under a loopback name', async () => {
  const { url } = await ringServer({ adminToken: 'admin' });
  expect((await getJson(url, '/admin/jobs')).status).toBe(401);
  expect((await getJson(url, '/admin/jobs', bearer('admin'))).status).toBe(200);
  expect((await postJson(url, '/api/registry', registration)).body.code).toBe(200);
});

test.each([
  { story: 'a host that others reach, and one token', options: { host: '0.0.0.0', accessToken: 'a' }, warns: true },
  {
    story: 'the same token twice',
    options: { host: '0.0.0.0', accessToken: 'a', adminToken: 'a' },
    warns: true,
  },
  { story: 'two tokens', options: { host: '0.0.0.0', accessToken: 'a', adminToken: 'b' }, warns: false },
  { story: 'loopback', options: { accessToken: 'a' }, warns: false },
])('$story: a warning of the shared token is logged: $warns', async ({ options, warns }) => {
  const { warnings } = await ringServer(options);
  const found = warnings.map(({ facts }) => facts);
  expect(found).toEqual(warns ? [{ setting: 'http.adminToken', host: '0.0.0.0' }] : []);
});

test('an adminToken is no accessToken: on a host that others reach executors need theirs', async () => {
  await expect(ringServer({ host: '0.0.0.0', adminToken: 'admin' })).rejects.toMatchObject({
    code: 'bad-option',
    details: { field: 'http.host' },
  });
});

test('wrong and missing tokens are logged, one line per ten seconds, and never with the token', async () => {
  const { url, warnings, clock } = await ringServer({ accessToken: 'secret' });
  await getJson(url, '/admin/jobs?token=guess', bearer('guess'));
  for (let time = 0; time < 5; time++) await postJson(url, '/api/registry', registration, wire('guess'));
  await clock.advanceBy(10_000);
  await getJson(url, '/admin/jobs');
  expect(warnings).toEqual([
    {
      facts: { path: '/admin/jobs', from: '127.0.0.1', more: 0 },
      message: 'A call with a wrong token was refused',
    },
    { facts: { path: '/admin/jobs', from: '127.0.0.1', more: 5 }, message: 'A call without the token was refused' },
  ]);
});

test('health and readiness say what is wrong only to those who have the token', async () => {
  const { url, ring } = await ringServer({ accessToken: 'executor', adminToken: 'admin' });
  const sick = { ...ring.health(), status: 'degraded' as const, problem: 'password=hunter2' };
  ring.health = () => sick;
  for (const headers of [{}, bearer('executor'), bearer('wrong')]) {
    expect((await getJson(url, '/admin/health', headers)).body).toEqual({ ...sick, problem: null });
    const ready = await getJson(url, '/admin/ready', headers);
    expect([ready.status, ready.body]).toEqual([503, { ready: false, problem: null }]);
  }
  expect((await getJson(url, '/admin/health', bearer('admin'))).body).toEqual(sick);
  expect((await getJson(url, '/admin/ready', bearer('admin'))).body).toEqual({
    ready: false,
    problem: 'password=hunter2',
  });
});

test('without any token, on loopback, health says everything', async () => {
  const { url, ring } = await ringServer();
  const sick = { ...ring.health(), status: 'degraded' as const, problem: 'no pass for 5 s' };
  ring.health = () => sick;
  expect((await getJson(url, '/admin/health')).body).toEqual(sick);
});

test('without a token, executors call under a loopback name only: a name that was bent to this machine is refused', async () => {
  const { url, executors } = await ringServer();
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example']) {
    expect((await postJson(url, '/api/registry', registration, { host })).body.code).toBe(500);
  }
  expect(executors.size).toBe(0);
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:8080']) {
    expect((await postJson(url, '/api/registry', registration, { host })).body.code).toBe(200);
  }
});

test('with a token, executors may call under any name', async () => {
  const { url } = await ringServer({ accessToken: 'secret' });
  const headers = { ...wire('secret'), host: 'scheduler.example' };
  expect((await postJson(url, '/api/registry', registration, headers)).body.code).toBe(200);
});

test('one connection too many is closed, which is logged, and there is room again when another has gone', async () => {
  const { url, listening, warnings } = await ringServer({ maxConnections: 2 });
  const open = () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  };
  const held = [open(), open()];
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  // The server has taken both once it has answered one of them.
  held[1]!.write('GET /admin/health HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await new Promise((resolve) => held[1]!.once('data', resolve));
  const third = open();
  await new Promise((resolve) => third.once('close', resolve));
  expect(warnings).toEqual([{ facts: { setting: 'http.maxConnections', more: 0 }, message: expect.any(String) }]);
  for (const socket of held) socket.destroy();
  await expect.poll(() => rawRequest(url, { path: '/admin/health' }).catch(() => null)).toMatchObject({ status: 200 });
});

test('a connection limit of zero is a bad-option', async () => {
  await expect(ringServer({ maxConnections: 0 })).rejects.toMatchObject({
    code: 'bad-option',
    details: { field: 'http.maxConnections' },
  });
});
