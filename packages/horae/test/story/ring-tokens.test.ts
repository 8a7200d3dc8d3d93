import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { horae, scratchFolder, startDaemon } from '../support/run-horae.js';

/** A node with these lines in its file and these variables; resolves with its URL. */
async function node(lines: string, env: Record<string, string> = {}, words: readonly string[] = []) {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'ring.yaml'), `database: sqlite:./ring.db\nport: 0\n${lines}`);
  const daemon = startDaemon(['ring', 'serve', 'ring.yaml', ...words], { cwd: folder, env });
  const { url } = await daemon.line(({ message }) => message === 'running');
  const list = (token: string, more: Record<string, string> = {}) =>
    horae(['ring', 'list', '--url', String(url), ...(token === '' ? [] : ['--token', token])], { env: more }).code;
  return { daemon, url: String(url), list };
}

test('an empty HORAE_TOKEN leaves the configured token in force', async () => {
  const { url, list } = await node('token: configured\n', { HORAE_TOKEN: '', HORAE_ADMIN_TOKEN: '' });
  expect((await fetch(`${url}/admin/jobs`)).status).toBe(401);
  expect(list('configured')).toBe(0);
  expect(list('', { HORAE_TOKEN: '' })).toBe(1);
});

test('HORAE_TOKEN counts before the configured token, and --token before both', async () => {
  const first = await node('token: configured\n', { HORAE_TOKEN: 'of the environment' });
  expect([first.list('configured'), first.list('of the environment')]).toEqual([1, 0]);
  const second = await node('token: configured\n', { HORAE_TOKEN: 'of the environment' }, ['--token', 'given']);
  expect([second.list('of the environment'), second.list('given')]).toEqual([1, 0]);
});

test.each(['--token', '--admin-token'])('an empty %s is wrong usage', (option) => {
  const { code, stderr } = horae(['ring', 'serve', 'ring.yaml', option, '']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${option} is empty`);
});

test('the admin API takes the admin token, and executors theirs', async () => {
  const { url, list, daemon } = await node('token: executor\n', { HORAE_ADMIN_TOKEN: 'admin' });
  expect([list('executor'), list('admin'), list('', { HORAE_ADMIN_TOKEN: 'admin', HORAE_TOKEN: 'x' })]).toEqual([
    1, 0, 0,
  ]);
  const register = async (token: string) => {
    const response = await fetch(`${url}/api/registry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'xxl-job-access-token': token },
      body: JSON.stringify({ registryGroup: 'EXECUTOR', registryKey: 'app', registryValue: 'http://127.0.0.1:9' }),
    });
    return ((await response.json()) as { code: number }).code;
  };
  expect([await register('admin'), await register('executor')]).toEqual([500, 200]);
  expect(await daemon.line(({ message }) => message === 'A call with a wrong token was refused')).toMatchObject({
    level: 'warn',
    path: '/admin/jobs',
  });
  expect(JSON.stringify(daemon.lines)).not.toMatch(/"(executor|admin)"/);
});

test('one token for both is warned of on a host that others reach', async () => {
  const { daemon } = await node('host: 0.0.0.0\ntoken: shared\n');
  expect(await daemon.line(({ setting }) => setting === 'http.adminToken')).toMatchObject({ level: 'warn' });
});
