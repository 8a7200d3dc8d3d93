import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askRaw, tokenOf } from '../stage/ask-raw.js';
import { type DemoProcess, startDemoProcess } from '../stage/demo-process.js';

let demo: DemoProcess;
let token: string;
beforeAll(async () => {
  demo = await startDemoProcess(['--port', '0']);
  token = await tokenOf(demo);
});
afterAll(async () => void (await demo.end()));

const json = { 'content-type': 'application/json' };
const plug = '/api/tasks/pull-the-plug';
const codeOf = (body: string) => (JSON.parse(body) as { error: { code: string } }).error.code;

describe('a request that changes something', () => {
  test('is refused without the token of the page', async () => {
    const { status, body } = await askRaw(demo, plug, { method: 'POST', headers: json, body: '{}' });
    expect([status, codeOf(body)]).toEqual([403, 'token-missing']);
  });

  test('is refused with another token', async () => {
    const headers = { ...json, 'x-horae-token': `${token.slice(0, -1)}!` };
    expect((await askRaw(demo, plug, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('is refused without the token, by %s as well', async (method) => {
    expect((await askRaw(demo, plug, { method, headers: json, body: '{}' })).status).toBe(403);
  });

  test('is refused when it is no JSON, which is all that a form of another site can send', async () => {
    const headers = { 'content-type': 'text/plain', 'x-horae-token': token };
    const { status, body } = await askRaw(demo, plug, { method: 'POST', headers, body: '{}' });
    expect([status, codeOf(body)]).toEqual([415, 'not-json']);
  });

  test('is refused from another origin, even with the token', async () => {
    const headers = { ...json, 'x-horae-token': token, origin: 'http://example.org' };
    const { status, body } = await askRaw(demo, plug, { method: 'POST', headers, body: '{}' });
    expect([status, codeOf(body)]).toEqual([403, 'foreign-origin']);
  });

  test('is refused when the browser says that it crosses sites', async () => {
    const headers = { ...json, 'x-horae-token': token, 'sec-fetch-site': 'cross-site' };
    const { status, body } = await askRaw(demo, plug, { method: 'POST', headers, body: '{}' });
    expect([status, codeOf(body)]).toEqual([403, 'cross-site']);
  });

  test('is accepted from the page', async () => {
    const headers = {
      ...json,
      'x-horae-token': token,
      origin: `http://127.0.0.1:${demo.port}`,
      'sec-fetch-site': 'same-origin',
    };
    const body = JSON.stringify({ name: 'tide-gauge', behaviour: 'fails' });
    expect((await askRaw(demo, '/api/tasks/behaviour', { method: 'POST', headers, body })).status).toBe(200);
  });

  test('is refused above the limit of a body', async () => {
    const headers = { ...json, 'x-horae-token': token };
    const body = JSON.stringify({ scenario: 'x'.repeat(300_000), changes: [], branch: null });
    const answer = await askRaw(demo, '/api/sim/run', { method: 'POST', headers, body });
    expect([answer.status, codeOf(answer.body)]).toEqual([413, 'body-too-large']);
  });

  test.each([
    { story: 'broken JSON', body: '{' },
    { story: 'another shape', body: '{"name":7}' },
    { story: 'null', body: 'null' },
  ])('is answered with what belongs there: $story', async ({ body }) => {
    const headers = { ...json, 'x-horae-token': token };
    const answer = await askRaw(demo, '/api/tasks/behaviour', { method: 'POST', headers, body });
    expect([answer.status, codeOf(answer.body)]).toEqual([400, 'bad-request']);
  });
});

describe('reading', () => {
  test.each(['horae.example.org', 'horae.example.org:80', '127.0.0.1.example.org'])(
    'is refused for the host "%s": a name that was bent to this machine gets nothing',
    async (host) => {
      for (const path of ['/', '/api/events', '/api/sim/presets']) {
        const { status, body } = await askRaw(demo, path, { headers: { host } });
        expect([status, codeOf(body)]).toEqual([403, 'foreign-host']);
      }
    },
  );

  test.each(['localhost', '127.0.0.1', '[::1]'])('is fine for %s', async (host) => {
    expect((await askRaw(demo, '/', { headers: { host: `${host}:${demo.port}` } })).status).toBe(200);
  });

  test('of the API is refused to other sites, and the page says so in its headers', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect((await askRaw(demo, '/api/sim/presets', { headers })).status).toBe(403);
    const { headers: answered } = await askRaw(demo, '/');
    expect(answered['access-control-allow-origin']).toBeUndefined();
    expect(answered['cross-origin-resource-policy']).toBe('same-origin');
  });

  test('comes with a policy that allows nothing from elsewhere and no inline script', async () => {
    const { headers } = await askRaw(demo, '/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/assets/../../server.js', '/etc/passwd', '/server.js'])(
    'finds nothing outside the page: %s',
    async (path) => {
      expect((await askRaw(demo, path)).status).toBe(404);
    },
  );
});

test('the server listens on loopback only', async ({ skip }) => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')?.address;
  if (outside === undefined) return skip('this machine has no address but loopback');
  const outcome = await new Promise<string>((resolve) => {
    const socket = connect({ host: outside, port: demo.port });
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', () => resolve('refused'));
  });
  expect(outcome).toBe('refused');
});

describe('the console beside the page', () => {
  const jobs = '/console/admin/jobs';
  const job = JSON.stringify({ name: 'planted', handler: 'echo', schedule: { kind: 'none' } });

  test('takes no change without a token of its own, and none from elsewhere', async () => {
    const session = await askRaw(demo, '/console/console/session', {});
    const { csrf, role } = JSON.parse(session.body) as { csrf: string; role: string };
    expect(role).toBe('editor');
    const add = (headers: Record<string, string>) =>
      askRaw(demo, jobs, { method: 'POST', headers: { ...json, ...headers }, body: job });
    expect(codeOf((await add({})).body)).toBe('bad-csrf-token');
    expect(codeOf((await add({ 'x-csrf-token': csrf, origin: 'http://example.org' })).body)).toBe('foreign-origin');
    expect((await add({ 'x-csrf-token': csrf, host: 'evil.example' })).status).toBe(403);
    expect((await add({ 'x-csrf-token': csrf })).status).toBe(201);
  });

  test('lets nobody name himself', async () => {
    const headers = { 'x-horae-demo-visitor': 'admin' };
    const session = await askRaw(demo, '/console/console/session', { headers });
    expect(JSON.parse(session.body)).toMatchObject({ name: 'visitor', role: 'editor' });
    expect((await askRaw(demo, '/console/console/users', {})).status).toBe(403);
  });
});
