import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: it brings no types.
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConsole } from '../../src/index.js';
import { consoleStage, PASSWORD } from './stage.js';

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const logIn = async (url: string, invitation: string) => {
  const made = await fetch(`${url}/console/first-admin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ invitation, name: 'ada', password: PASSWORD }),
  });
  expect(made.status).toBe(201);
  return made.headers.get('set-cookie')!.split(';')[0]!;
};

describe('mounted', () => {
  test('in plain Node it shows the page, lets in and drives the ring', async () => {
    const { panel, invitation, ring } = await consoleStage();
    const url = await listen(panel.node);
    const page = await fetch(`${url}/`);
    expect(page.headers.get('content-type')).toMatch('text/html');
    const html = await page.text();
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(html)![1]!;
    expect((await fetch(`${url}/${script}`)).headers.get('content-type')).toMatch('text/javascript');
    const cookie = await logIn(url, await invitation());
    const { csrf } = (await (await fetch(`${url}/console/session`, { headers: { cookie } })).json()) as {
      csrf: string;
    };
    const added = await fetch(`${url}/admin/jobs`, {
      method: 'POST',
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'from outside', handler: 'echo', schedule: { kind: 'none' } }),
    });
    expect(added.status).toBe(201);
    expect((await ring.jobs.list()).jobs.map(({ name }) => name)).toEqual(['from outside']);
    const audit = await fetch(`${url}/console/audit`, { headers: { cookie } });
    expect(((await audit.json()) as { entries: object[] }).entries[0]).toMatchObject({ who: 'ada', from: '127.0.0.1' });
  });

  test('in Express below a path, after a parser of bodies, and beside other routes', async () => {
    const { panel, invitation } = await consoleStage({ basePath: '/ops' });
    const app = express();
    app.use(express.json());
    app.use('/ops', panel.node);
    app.get('/', (_request: unknown, response: { send(text: string): void }) => response.send('mine'));
    const url = await listen(app);
    expect(await (await fetch(`${url}/`)).text()).toBe('mine');
    expect(await (await fetch(`${url}/ops`)).text()).toContain('<div id="app">');
    const cookie = await logIn(`${url}/ops`, await invitation());
    expect((await fetch(`${url}/ops/admin/jobs`, { headers: { cookie } })).status).toBe(200);
  });

  test('streams what happens, until the browser goes away', async () => {
    const { panel, invitation, ring } = await consoleStage();
    const url = await listen(panel.node);
    const cookie = await logIn(url, await invitation());
    const gone = new AbortController();
    const stream = await fetch(`${url}/admin/events`, { headers: { cookie }, signal: gone.signal });
    const reader = stream.body!.getReader();
    await reader.read();
    await ring.jobs.add({ name: 'seen', handler: 'echo', schedule: { kind: 'none' } });
    let text = '';
    while (!text.includes('job-added')) text += new TextDecoder().decode((await reader.read()).value);
    gone.abort();
  });
});

describe('every answer', () => {
  test.each(['/', '/nothing', '/admin/jobs', '/console/session'])(
    '%s forbids frames, inline scripts and sniffing',
    async (path) => {
      const { anybody } = await consoleStage();
      const { headers } = await anybody.ask('GET', path);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test('paths outside the base path, or out of the page, are not there', async () => {
    const { panel } = await consoleStage({ basePath: '/ops' });
    for (const path of [
      '/',
      '/opsx',
      '/ops/../package.json',
      '/ops/assets/../../../package.json',
      '/ops/%2e%2e/package.json',
    ])
      expect((await panel.fetch(new Request(`http://console.example${path}`))).status).toBe(404);
  });
});

test.each([
  { story: 'a base path without a slash', options: { basePath: 'ops' }, field: 'basePath' },
  { story: 'an unknown kind of auth', options: { auth: { kind: 'magic' } }, field: 'auth.kind' },
  {
    story: 'trusted headers from nobody',
    options: { auth: { kind: 'header', header: 'x-user' } },
    field: 'auth.proxies',
  },
  { story: 'an empty title', options: { title: '' }, field: 'title' },
])('$story is refused by name', async ({ options, field }) => {
  const { ring } = await consoleStage();
  expect(() => createConsole({ ring, ...(options as object) })).toThrow(new RegExp(`^${field} must be`));
});
