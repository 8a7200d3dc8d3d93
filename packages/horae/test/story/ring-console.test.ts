import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { horae, scratchFolder, startDaemon } from '../support/run-horae.js';

async function node(words: readonly string[] = [], more = '') {
  const folder = scratchFolder();
  const config = `database: sqlite:./ring.db\n${more}jobs:\n  - { name: by hand, handler: hello, schedule: { kind: none } }\n`;
  writeFileSync(join(folder, 'ring.yaml'), `${config}handlers:\n  hello: { run: 'echo hello' }\n`);
  const daemon = startDaemon(['ring', 'serve', 'ring.yaml', '--port', '0', ...words], { cwd: folder });
  const { url } = await daemon.line(({ message }) => message === 'running');
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}${path}`, { headers })).status;
  return { daemon, url: String(url), status };
}

const password = 'correct horse battery';

test('ring serve shows the console at /, and prints where the first admin is made', async () => {
  const { daemon, url, status } = await node(['--token', 'executors']);
  const { address } = await daemon.line(({ message }) => String(message).startsWith('The console has no users yet'));
  expect(String(address)).toMatch(`${url}/#/first-admin?invitation=`);
  expect(await (await fetch(`${url}/`)).text()).toContain('<div id="app">');
  expect(await status('/admin/jobs', { authorization: 'Bearer executors' })).toBe(200);

  const invitation = String(address).split('invitation=')[1];
  const made = await fetch(`${url}/console/first-admin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ invitation, name: 'ada', password }),
  });
  const cookie = made.headers.get('set-cookie')!.split(';')[0]!;
  expect(await status('/admin/jobs', { cookie })).toBe(200);
  // From now on the token of executors opens their side alone.
  expect(await status('/admin/jobs', { authorization: 'Bearer executors' })).toBe(401);
  expect(await status('/admin/ready')).toBe(200);

  const { csrf } = (await (await fetch(`${url}/console/session`, { headers: { cookie } })).json()) as { csrf: string };
  const token = await fetch(`${url}/console/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': csrf },
    body: JSON.stringify({ name: 'command', role: 'viewer' }),
  });
  const { secret } = (await token.json()) as { secret: string };
  const listed = horae(['ring', 'list', '--url', url, '--token', secret]);
  expect({ code: listed.code, hasJob: listed.stdout.includes('by hand') }).toEqual({ code: 0, hasJob: true });
  expect(horae(['ring', 'trigger', '1', '--url', url, '--token', secret]).code).toBe(1);
});

test('an admin token of its own stays good beside the users', async () => {
  const { daemon, url, status } = await node(['--token', 'executors', '--admin-token', 'boss']);
  const { address } = await daemon.line(({ message }) => String(message).startsWith('The console has no users yet'));
  await fetch(`${url}/console/first-admin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ invitation: String(address).split('invitation=')[1], name: 'ada', password }),
  });
  expect(await status('/admin/jobs', { authorization: 'Bearer boss' })).toBe(200);
  expect(await status('/admin/jobs', { authorization: 'Bearer executors' })).toBe(401);
});

test('console: false shows none', async () => {
  const { status } = await node([], 'console: false\n');
  expect(await status('/')).toBe(404);
  expect(await status('/admin/jobs')).toBe(200);
});
