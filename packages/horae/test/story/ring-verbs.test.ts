import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Daemon, horae, scratchFolder, startDaemon } from '../support/run-horae.js';

const at = ['--database', 'sqlite:./ring.db'];

function onDatabase() {
  const cwd = scratchFolder();
  const ring = (...words: string[]) => horae(['ring', ...words, ...at], { cwd });
  const json = (...words: string[]) => {
    const { stdout, stderr, code } = ring(...words, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  return { cwd, ring, json };
}

const everyField = [
  ...['--key', 'mail', '--description', 'Tells people', '--owner', 'Ada', '--label', 'team=ops', '--label', 'tier=1=a'],
  ...['--wait', '2m', '--retry', '{"kind":"fixed","delayMs":500}', '--retries', '2'],
];
const written = {
  key: 'mail',
  description: 'Tells people',
  owner: 'Ada',
  labels: { team: 'ops', tier: '1=a' },
  waitMs: 120_000,
  retry: { kind: 'fixed', delayMs: 500 },
  retries: 2,
};

test('point 19: add and update take every field of a job, remove takes the job away', () => {
  const { ring, json } = onDatabase();
  expect(json('add', 'mail', '--handler', 'mail', ...everyField)).toMatchObject({ id: 1, name: 'mail', ...written });
  const change = ['--name', 'post', '--wait', 'forever', '-l', 'a=b', '--every', '5s'];
  const updated = json('update', '1', ...change);
  expect(updated).toMatchObject({
    ...written,
    name: 'post',
    waitMs: null,
    labels: { a: 'b' },
    schedule: { everyMs: 5_000 },
  });
  const nothing = ring('update', '1');
  expect({ code: nothing.code, stdout: nothing.stdout }).toEqual({ code: 2, stdout: '' });
  expect(ring('update', '1', '--label', 'ops').stderr).toContain('--label must be key=value');
  expect(ring('remove', '1').stdout).toBe('removed job 1\n');
  expect(json('list').jobs).toEqual([]);
  expect(ring('remove', '1').code).toBe(1);
});

test('point 19: kill ends what waits for a node, and says by its exit code when it was over', () => {
  const { ring, json } = onDatabase();
  json('add', 'x', '--handler', 'x');
  const run = json('trigger', '1');
  expect(json('kill', String(run.id))).toEqual({ run: run.id, killed: true });
  const again = ring('kill', String(run.id));
  expect(again).toMatchObject({ code: 1, stdout: `run ${run.id} was over already\n` });
  expect(json('runs').runs).toMatchObject([{ id: run.id, state: 'killed' }]);
});

test('point 19: what export prints, import takes, children and states too', () => {
  const from = onDatabase();
  from.json('add', 'child', '--handler', 'x');
  from.json('add', 'parent', '--handler', 'x', '--children', '1', '--every', '1h', '--start', ...everyField);
  const file = from.ring('export').stdout;
  expect(JSON.parse(file)).toMatchObject({
    jobs: [
      { name: 'child', children: [], start: false },
      { name: 'parent', ...written, children: ['child'], start: true },
    ],
  });
  const to = onDatabase();
  writeFileSync(join(to.cwd, 'jobs.json'), file);
  expect(to.json('import', 'jobs.json', '--dry-run')).toEqual({ added: ['child', 'mail'], updated: [] });
  expect(to.json('list').jobs).toEqual([]);
  expect(to.ring('import', 'jobs.json').stdout).toBe('2 jobs added, 0 updated\n');
  expect(to.ring('export').stdout).toBe(file);
  expect(to.json('import', 'jobs.json')).toEqual({ added: ['child'], updated: ['mail'] });
  writeFileSync(
    join(to.cwd, 'bad.json'),
    '{"jobs":[{"name":"a","handler":"x","schedule":{"kind":"none"},"children":["b"]}]}',
  );
  expect(to.ring('import', 'bad.json').stderr).toContain('the child "b" of "a"');
});

test('point 20: import takes a dump of XXL-JOB with its zone, and says what it cannot keep', () => {
  const { cwd, ring, json } = onDatabase();
  const row = {
    id: 7,
    job_group: 1,
    job_desc: 'old',
    executor_handler: 'h',
    author: 'Xu',
    alarm_email: 'ops@example.com',
  };
  writeFileSync(
    join(cwd, 'dump.json'),
    JSON.stringify([{ ...row, schedule_type: 'CRON', schedule_conf: '0 0 9 * * ?' }]),
  );
  const dry = ring('import', 'dump.json', '--dry-run').stdout;
  expect(dry).toMatch(/^1 jobs would be imported, 0 problems, 2 warnings$/m);
  expect(dry).toMatch(/zone of its JVM/);
  expect(dry).toContain('ops@example.com');
  expect(json('import', 'dump.json', '--zone', 'Asia/Shanghai').warnings).toHaveLength(1);
  expect(json('list').jobs).toMatchObject([{ name: 'old', owner: 'Xu', schedule: { zone: 'Asia/Shanghai' } }]);
  expect(ring('import', 'dump.json', '--zone', 'Mars/Base').code).toBe(1);
});

test.each([['list'], ['runs'], ['log', '1'], ['executors'], ['export']])(
  'point 19: "ring %s" of a file that does not exist says so, and makes none',
  (...words) => {
    const { cwd, ring } = onDatabase();
    const { code, stdout, stderr } = ring(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('there is no database ./ring.db');
    expect(existsSync(join(cwd, 'ring.db'))).toBe(false);
  },
);

test('point 19: serve takes every option of the library, and its other verbs work through a node', async () => {
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'ring.yaml'),
    `database: sqlite:./ring.db
nodeId: first
leaseMs: 8s
misfireMs: 20s
preReadMs: 4s
keepRunsMs: 7d
maxClockSkewMs: 10s
slots: 60
drainSlots: 3
batchLimit: 500
maxParamsBytes: 1000
metricJobs: 10
quietMs: 1m
channels: { ops: { kind: webhook, url: 'http://127.0.0.1:1/hook', secret: s, format: slack } }
alerts: [{ on: late, afterMs: 2s, channel: ops }]
pools: { fast: { size: 10, queue: 20 }, slow: { size: 5, queue: 50 }, slowAfterMs: 1s, slowAfterCount: 3, windowMs: 1m }
queueLimit: 5
http: { port: 0, callTimeoutMs: 2s, maxBodyBytes: 1000000, maxExecutors: 10, maxConnections: 100, resultGraceMs: 5s,
  tokenHeader: X-Token, payloadField: data, breaker: { failures: 2, openMs: 1s }, adminToken: secret }
handlers:
  slow: { run: 'echo begun; sleep 600' }
jobs:
  - { name: slow, handler: slow, schedule: { kind: none }, key: slow, description: d, owner: o, labels: { a: b },
      waitMs: 10s, retry: { kind: exponential, firstMs: 2s, maxMs: 1m }, maxRunning: 2, rate: { limit: 5, perMs: 1s },
      jitterMs: 1s, keepRuns: { days: 3 }, alerts: [{ on: fire-failed, channel: ops }] }
  - { name: fortnightly, handler: slow, schedule: { kind: interval, every: { weeks: 2 }, anchor: '2026-01-05T09:00' } }
`,
  );
  const daemon: Daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  const { url, node } = await daemon.line(({ message }) => message === 'running');
  expect(node).toBe('first');
  const ask = (...words: string[]) =>
    horae(['ring', ...words, '--url', String(url), '--token', 'secret', '--json'], { cwd: folder });
  const json = (...words: string[]) => JSON.parse(ask(...words).stdout);
  const retry = { kind: 'exponential', firstMs: 2_000, factor: 2, maxMs: 60_000, jitter: 0.1 };
  const slow = { key: 'slow', description: 'd', owner: 'o', labels: { a: 'b' }, waitMs: 10_000, retry };
  const limits = { maxRunning: 2, rate: { limit: 5, perMs: 1_000 }, jitterMs: 1_000, keepRuns: { days: 3 } };
  const alerts = [{ on: 'fire-failed', channel: 'ops' }];
  const fortnightly = { kind: 'interval', every: { weeks: 2 }, anchor: '2026-01-05T09:00' };
  expect(json('list').jobs).toMatchObject([
    { ...slow, ...limits, alerts },
    { name: 'fortnightly', schedule: fortnightly, state: 'RUNNING' },
  ]);
  expect(ask('trigger', '1', '--params', JSON.stringify('x'.repeat(2_000))).code).toBe(1);
  const run = json('trigger', '1');
  await daemon.line(({ event, run: id }) => event === 'run-started' && id === run.id);
  expect(json('kill', String(run.id))).toEqual({ run: run.id, killed: true });
  expect(json('update', '1', '--description', 'other')).toMatchObject({ description: 'other' });
  expect(json('export').jobs).toHaveLength(2);
  expect(json('remove', '1')).toEqual({ removed: 1 });
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('point 19: the help of serve names every option of the library', () => {
  const { stdout } = horae(['ring', 'serve', '--help']);
  const source = readFileSync(new URL('../../src/command/ring/serve-options.ts', import.meta.url), 'utf8');
  const names = [...source.matchAll(/^ {2}(\w+): (?:z|durationSchema)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect(stdout).toContain(name);
});

test('point 19: retry prints the next attempt of a run that is over, and refuses one that is not', () => {
  const { ring, json } = onDatabase();
  json('add', 'x', '--handler', 'x');
  const run = json('trigger', '1');
  const refused = ring('retry', String(run.id));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`Run ${run.id} cannot be retried: it is not over but pending`);
  json('kill', String(run.id));
  const retried = json('retry', String(run.id));
  expect(retried).toMatchObject({ fireId: run.id, attempt: 2, triggerType: 'retry', state: 'pending' });
});

test('point 19: pause and resume stop and start a group by its name', () => {
  const { ring, json } = onDatabase();
  json('add', 'x', '--handler', 'x', '--group', 'reports');
  expect(json('pause', 'reports')).toMatchObject({ name: 'reports', paused: true });
  expect(ring('resume', 'reports').stdout).toBe('resumed group reports\n');
  const unknown = ring('resume', 'nobody');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no group "nobody"');
});
