import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Daemon, horae, scratchFolder, startDaemon } from '../support/run-horae.js';

const event = (name: string, run?: unknown) => (line: Daemon['lines'][number]) =>
  line.event === name && (run === undefined || line.run === run);

/** A node with an admin API on a free port, and how to ask it. */
async function node(words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'ring.yaml'),
    `database: sqlite:./ring.db
handlers:
  hello: { run: 'echo "hello $HORAE_PARAMS"' }
  slow: { run: 'echo waiting; i=0; while [ ! -e go ] && [ $i -lt 3000 ]; do sleep 0.02; i=$((i+1)); done; echo went' }
jobs:
  - { name: by hand, handler: hello, schedule: { kind: none } }
  - { name: slow, handler: slow, schedule: { kind: none } }
`,
  );
  const daemon = startDaemon(['ring', 'serve', 'ring.yaml', '--port', '0', ...words], { cwd: folder, env });
  const { url } = await daemon.line(({ message }) => message === 'running');
  const ring = (...asked: string[]) => horae(['ring', ...asked, '--url', String(url)], { cwd: folder });
  const json = (...asked: string[]) => JSON.parse(ring(...asked, '--json').stdout);
  return { folder, daemon, url: String(url), ring, json };
}

test('every command asks a node through its admin API', async () => {
  const { daemon, ring, json } = await node();
  expect(ring('executors').stdout).toMatch(/^default +\S+ +local /m);
  expect(json('list').jobs.map(({ name }: { name: string }) => name)).toEqual(['by hand', 'slow']);
  const run = json('trigger', '1', '--params', '{"to":"you"}');
  expect(run).toMatchObject({ jobId: 1, triggerType: 'manual', params: { to: 'you' } });
  await daemon.line(event('run-succeeded', run.id));
  expect(json('log', String(run.id))).toMatchObject({ lines: ['hello {"to":"you"}'], end: true });
  expect(json('runs', '--job', '1').runs).toMatchObject([
    { id: run.id, state: 'succeeded', message: 'hello {"to":"you"}' },
  ]);
  expect(json('add', 'tick', '--handler', 'hello', '--every', '1s', '--start')).toMatchObject({
    id: 3,
    state: 'RUNNING',
  });
  await daemon.line(({ event: name, job }) => name === 'run-succeeded' && job === 3);
  expect(json('stop', '3')).toMatchObject({ state: 'STOPPED', stopReason: { code: 'user' } });
  expect(ring('start', '3').stdout).toMatch(/^started job 3 "tick": RUNNING, next at /);
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('log --follow goes on until the run is over', async () => {
  const { folder, daemon, url, json } = await node();
  const run = json('trigger', '2');
  await daemon.line(event('run-started', run.id));
  const follower = startDaemon(['ring', 'log', String(run.id), '--follow', '--url', url], { cwd: folder });
  await follower.line(({ text }) => text === 'waiting');
  writeFileSync(join(folder, 'go'), '');
  const { code, stdout } = await follower.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'waiting\nwent\n' });
});

test('a node with a token wants it, from the option or from the environment', async () => {
  const { url, ring } = await node(['--token', 'secret']);
  const refused = ring('list');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^hint: give its token with --token, HORAE_ADMIN_TOKEN or HORAE_TOKEN$/m);
  expect(ring('list', '--token', 'guess').code).toBe(1);
  expect(ring('list', '--token', 'secret').code).toBe(0);
  expect(horae(['ring', 'list', '--url', url], { env: { HORAE_TOKEN: 'secret' } }).code).toBe(0);
});

test.each([
  { story: 'an unknown job', words: ['trigger', '77'], says: '77', hint: 'horae ring list' },
  { story: 'an unknown run', words: ['log', '77'], says: '77', hint: 'horae ring runs' },
  { story: 'a job that has no schedule', words: ['start', '1'], says: '', hint: '' },
  { story: 'a broken expression', words: ['add', 'x', '--handler', 'x', '--cron', '0 0 9 * *'], says: '', hint: '' },
])('a node refuses $story', async ({ words, says, hint }) => {
  const { ring } = await node();
  const { code, stdout, stderr } = ring(...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(says);
  expect(stderr.split('\n').find((line) => line.startsWith('hint: '))).toContain(hint);
  expect(stderr).not.toContain('    at ');
});

test('an address where nobody answers, and one that is none', () => {
  const silent = horae(['ring', 'list', '--url', 'http://127.0.0.1:9']);
  expect(silent.code).toBe(1);
  expect(silent.stderr).toContain('no node answers at http://127.0.0.1:9');
  const none = horae(['ring', 'list', '--url', 'ring.local']);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain('--url is no address of a node: "ring.local"');
});
