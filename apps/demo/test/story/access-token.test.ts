import { afterAll, beforeAll, expect, test } from 'vitest';
import { askRaw } from '../stage/ask-raw.js';
import { type DemoProcess, runToEnd, startDemoProcess } from '../stage/demo-process.js';

let demo: DemoProcess;
beforeAll(async () => {
  demo = await startDemoProcess(['--port', '0', '--host', '0.0.0.0', '--token', 'open sesame']);
});
afterAll(async () => void (await demo.end()));

test('a host that others reach is refused without a token, with the remedy', async () => {
  const { code, output } = await runToEnd(['--port', '0', '--host', '0.0.0.0']);
  expect(code).toBe(2);
  expect(output).toContain('give a token with --token or HORAE_DEMO_TOKEN');
});

test.each(['/', '/api/events', '/api/sim/presets', '/?token=wrong', '/?token='])(
  'nobody sees %s without the token',
  async (path) => {
    const { status, headers, body } = await askRaw(demo, path);
    expect(status).toBe(401);
    expect(body).toContain('token-needed');
    expect(headers['set-cookie']).toBeUndefined();
  },
);

test('who opens the page with the token is let in from then on, under whatever name', async () => {
  const { status, headers } = await askRaw(demo, '/?token=open%20sesame');
  expect([status, headers.location]).toEqual([302, '/']);
  const [cookie] = String(headers['set-cookie']).split(';');
  expect(String(headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/);
  expect(cookie).not.toContain('sesame');
  for (const path of ['/', '/api/sim/presets']) {
    expect((await askRaw(demo, path, { headers: { cookie: cookie!, host: 'harbour.example' } })).status).toBe(200);
  }
});

test('a program sends the token as a bearer, and changes something only with the token of the page besides', async () => {
  const headers = { authorization: 'Bearer open sesame', 'content-type': 'application/json' };
  expect((await askRaw(demo, '/api/sim/presets', { headers })).status).toBe(200);
  const rest = await askRaw(demo, '/api/ring/rest', { method: 'POST', headers, body: '{}' });
  expect([rest.status, rest.body]).toEqual([403, expect.stringContaining('token-missing')]);
});

test('the token is printed nowhere', () => {
  expect(demo.output()).toContain('?token=…');
  expect(demo.output()).not.toContain('sesame');
});
