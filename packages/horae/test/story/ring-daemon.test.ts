import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Daemon, horae, scratchFolder, startDaemon } from '../support/run-horae.js';

const database = 'sqlite:./ring.db';
const at = ['--database', database];
const message = (text: string) => (line: Daemon['lines'][number]) => line.message === text;
const event = (name: string, job?: number) => (line: Daemon['lines'][number]) =>
  line.event === name && (job === undefined || line.job === job);

function folderWith(text: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'ring.yaml'), `database: ${database}\n${text}`);
  return folder;
}

const ask = (folder: string, ...words: string[]) =>
  JSON.parse(horae(['ring', ...words, ...at, '--json'], { cwd: folder }).stdout);

const simple = `handlers:
  hello: { run: 'echo "hello $HORAE_PARAMS"' }
jobs:
  - { name: tick, handler: hello, schedule: { kind: fix-rate, everyMs: 1s }, params: { to: ops } }
  - { name: by hand, handler: hello, schedule: { kind: none } }
`;

test('serve runs its jobs to the second and leaves nothing open when it is told to stop', async () => {
  const folder = folderWith(simple);
  const daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  expect(await daemon.line(message('running'))).toMatchObject({ added: ['tick', 'by hand'], updated: [] });
  const done = await daemon.line(event('run-succeeded', 1));
  expect(done).toMatchObject({ code: 200, result: 'hello {"to":"ops"}', by: 'schedule' });
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect(daemon.lines.at(-1)).toMatchObject({ message: 'stopped' });
  const { runs } = ask(folder, 'runs', '--job', '1', '--state', 'succeeded');
  expect(runs.length).toBeGreaterThan(0);
  expect(ask(folder, 'log', String(runs.at(-1).id))).toMatchObject({ lines: ['hello {"to":"ops"}'], end: true });
  expect(ask(folder, 'runs', '--state', 'running').runs).toEqual([]);
});

test('a second start finds its jobs again by name: changed ones are updated, stopped ones stay stopped', async () => {
  const folder = folderWith(simple);
  const first = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  await first.line(message('running'));
  first.kill('SIGTERM');
  await first.ended;
  horae(['ring', 'stop', '1', ...at], { cwd: folder });
  const file = join(folder, 'ring.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace('{ to: ops }', '{ to: dev }')
      .replace('kind: none }', 'kind: none }, retries: 2'),
  );
  const second = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  expect(await second.line(message('running'))).toMatchObject({ added: [], updated: ['tick', 'by hand'] });
  second.kill('SIGTERM');
  await second.ended;
  const third = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  expect(await third.line(message('running'))).toMatchObject({ added: [], updated: [] });
  third.kill('SIGTERM');
  await third.ended;
  expect(ask(folder, 'list').jobs).toMatchObject([
    { id: 1, name: 'tick', params: { to: 'dev' }, state: 'STOPPED' },
    { id: 2, name: 'by hand', retries: 2 },
  ]);
});

test('SIGHUP takes new handlers and jobs without stopping anybody, and keeps the old ones when the file is wrong', async () => {
  const folder = folderWith(simple);
  const file = join(folder, 'ring.yaml');
  const right = readFileSync(file, 'utf8');
  const daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  await daemon.line(message('running'));
  appendFileSync(file, '  - { name: wrong, handler: nobody, schedule: { kind: none } }\n');
  daemon.kill('SIGHUP');
  expect(JSON.stringify((await daemon.line(({ level }) => level === 'error')).error)).toContain('jobs.2.handler');
  const other = right.replace('jobs:\n', "  bye: { run: 'echo bye' }\njobs:\n");
  writeFileSync(file, `${other}  - { name: bye, handler: bye, schedule: { kind: fix-rate, everyMs: 1s } }\n`);
  daemon.kill('SIGHUP');
  expect(await daemon.line(message('jobs reconciled'))).toMatchObject({ added: ['bye'], updated: [] });
  expect(await daemon.line(event('run-succeeded', 3))).toMatchObject({ result: 'bye' });
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('children are named in the file and triggered after a success', async () => {
  const folder = folderWith(`handlers: { hello: { run: 'true' }, last: { module: ./last.mjs } }
jobs:
  - { name: parent, handler: hello, schedule: { kind: fix-rate, everyMs: 1s }, children: [child] }
  - { name: child, handler: last, schedule: { kind: none } }
`);
  writeFileSync(
    join(folder, 'last.mjs'),
    'export default ({ triggerType, log }) => { log("as a " + triggerType); return "fine"; };',
  );
  const daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  const done = await daemon.line(event('run-succeeded', 2));
  expect(done).toMatchObject({ by: 'child', result: 'fine' });
  daemon.kill('SIGTERM');
  await daemon.ended;
  expect(horae(['ring', 'log', String(done.run), ...at], { cwd: folder }).stdout).toBe('as a child\n');
});

test('two nodes on one file of jobs add each job once and share the work', async () => {
  const folder = folderWith(simple);
  const nodes = ['one', 'two'].map(() => startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder }));
  const running = await Promise.all(nodes.map((node) => node.line(message('running'))));
  expect(running.flatMap(({ added }) => added as string[]).sort()).toEqual(['by hand', 'tick']);
  await Promise.race(nodes.map((node) => node.line(event('run-succeeded'))));
  for (const node of nodes) node.kill('SIGTERM');
  expect((await Promise.all(nodes.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
  const { jobs } = ask(folder, 'list');
  expect(jobs.map(({ name }: { name: string }) => name)).toEqual(['tick', 'by hand']);
  const times = ask(folder, 'runs', '--job', String(jobs[0].id), '--count', '1000').runs.map(
    ({ scheduleTime }: { scheduleTime: number }) => scheduleTime,
  );
  expect(new Set(times).size).toBe(times.length);
});

test('a killed node is followed by another, which loses nothing and runs no fire twice', async () => {
  const folder = folderWith(`handlers:
  say: { run: 'echo "$HORAE_FIRE $HORAE_SCHEDULE_TIME" >> said.txt' }
jobs:
  - { name: tick, handler: say, schedule: { kind: fix-rate, everyMs: 1s } }
`);
  for (let round = 0; round < 3; round++) {
    const daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
    await daemon.line(event('run-succeeded'));
    daemon.kill(round < 2 ? 'SIGKILL' : 'SIGTERM');
    await daemon.ended;
  }
  const { runs } = ask(folder, 'runs', '--count', '1000');
  const over = runs.filter(({ state }: { state: string }) => state === 'succeeded');
  const times = over.map(({ scheduleTime }: { scheduleTime: number }) => scheduleTime);
  expect(new Set(times).size).toBe(times.length);
  const fires = readFileSync(join(folder, 'said.txt'), 'utf8').trim().split('\n');
  for (const { fireId } of over) expect(fires.some((line) => line.startsWith(`${fireId} `))).toBe(true);
});

describe('the commands on a database', () => {
  test('add, list, start, stop, runs and executors', () => {
    const folder = scratchFolder();
    const added = horae(
      [
        'ring',
        'add',
        'poll',
        '--handler',
        'poll',
        '--every',
        '5s',
        '--retries',
        '2',
        '--timeout',
        '30s',
        '--params',
        '{"a":1}',
        ...at,
      ],
      { cwd: folder },
    );
    expect(added).toMatchObject({ code: 0, stdout: 'added job 1 "poll": STOPPED\n' });
    expect(
      ask(
        folder,
        'add',
        'mail',
        '--handler',
        'mail',
        '--cron',
        '0 0 9 ? * MON-FRI',
        '--zone',
        'Europe/Berlin',
        '--start',
      ),
    ).toMatchObject({
      id: 2,
      state: 'RUNNING',
      schedule: { kind: 'cron', expression: '0 0 9 ? * MON-FRI', dialect: 'quartz', zone: 'Europe/Berlin' },
    });
    expect(ask(folder, 'add', 'night', '--handler', 'mail', '--posix', '0 3 * * *', '--children', '1,2')).toMatchObject(
      { children: [1, 2] },
    );
    expect(ask(folder, 'list', '--state', 'STOPPED').jobs).toMatchObject([
      { id: 1, retries: 2, timeoutMs: 30_000, params: { a: 1 } },
      { id: 3 },
    ]);
    expect(ask(folder, 'start', '1')).toMatchObject({ state: 'RUNNING' });
    expect(horae(['ring', 'stop', '1', ...at], { cwd: folder }).stdout).toBe('stopped job 1 "poll": STOPPED\n');
    expect(horae(['ring', 'list', ...at], { cwd: folder }).stdout).toMatch(
      /^2 +mail +RUNNING +0 0 9 \? \* MON-FRI Europe\/Berlin/m,
    );
    expect(horae(['ring', 'runs', ...at], { cwd: folder }).stdout).toBe('no runs\n');
    expect(horae(['ring', 'executors', ...at], { cwd: folder }).stdout).toBe('no executors\n');
  });

  test.each([
    { story: 'an unknown job', words: ['start', '77'], code: 1, says: 'no job 77', hint: 'horae ring list' },
    { story: 'an unknown run', words: ['kill', '77'], code: 1, says: 'no run 77', hint: 'horae ring runs' },
    { story: 'a number that is none', words: ['stop', 'three'], code: 2, says: 'got "three"', hint: '<id>' },
    {
      story: 'a broken expression',
      words: ['add', 'x', '--handler', 'x', '--cron', '0 0 9 * *'],
      code: 1,
      says: '0 0 9 * *',
      hint: '',
    },
    {
      story: 'two schedules',
      words: ['add', 'x', '--handler', 'x', '--cron', '* * * * * ?', '--every', '1s'],
      code: 2,
      says: 'one of --cron',
      hint: '',
    },
    {
      story: 'a rate that is too fast',
      words: ['add', 'x', '--handler', 'x', '--every', '10ms'],
      code: 1,
      says: 'everyMs',
      hint: '',
    },
    { story: 'no handler', words: ['add', 'x'], code: 2, says: '--handler', hint: '--help' },
    {
      story: 'parameters that are no JSON',
      words: ['add', 'x', '--handler', 'x', '--params', '{a'],
      code: 1,
      says: '--params is no JSON',
      hint: 'for example',
    },
    {
      story: 'a strategy that is none',
      words: ['add', 'x', '--handler', 'x', '--route', 'BEST'],
      code: 2,
      says: 'ROUND',
      hint: '',
    },
  ])('$story', ({ words, code, says, hint }) => {
    const ended = horae(['ring', ...words, ...at], { cwd: scratchFolder() });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    expect(ended.stderr).toContain(says);
    expect(ended.stderr.split('\n').find((line) => line.startsWith('hint: '))).toContain(hint);
  });

  test('point 26: what is triggered through the database waits for a node, and is done when there is one', async () => {
    const folder = folderWith(simple);
    horae(['ring', 'add', 'x', '--handler', 'hello', ...at], { cwd: folder });
    const run = ask(folder, 'trigger', '1');
    expect(run).toMatchObject({ state: 'pending', jobId: 1 });
    const daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
    await daemon.line((line) => line.event === 'run-succeeded' && line.run === run.id);
    daemon.kill('SIGTERM');
    await daemon.ended;
  });

  test('looking at a database fires nothing, however much is due', async () => {
    const folder = folderWith(simple);
    const daemon = startDaemon(['ring', 'serve', 'ring.yaml'], { cwd: folder });
    await daemon.line(event('run-succeeded'));
    daemon.kill('SIGTERM');
    await daemon.ended;
    const runs = () => JSON.stringify(ask(folder, 'runs', '--count', '1000'));
    expect(runs()).toBe(runs());
  });

  test.each([['list'], ['executors'], ['runs'], ['start', '1'], ['log', '1'], ['trigger', '1']])(
    '"ring %s" without a place is wrong usage',
    (...words) => {
      const { code, stderr } = horae(['ring', ...words]);
      expect(code).toBe(2);
      expect(stderr).toContain('--url or --database');
      expect(horae(['ring', ...words, '--url', 'http://127.0.0.1:9', ...at]).code).toBe(2);
    },
  );
});

describe('a wrong file is exit code 1 and names path, line and what belongs there', () => {
  test.each([
    {
      story: 'an unknown handler',
      text: 'jobs:\n  - { name: a, handler: b, schedule: { kind: none } }\n',
      says: 'jobs.0.handler (line 3): expected one of the handlers (there are none), got "b"',
    },
    {
      story: 'a broken expression',
      text: 'handlers: { b: { run: x } }\njobs:\n  - name: a\n    handler: b\n    schedule: { kind: cron, expression: "0 0 9 * *" }\n',
      says: 'jobs.0.schedule.expression (line 6): expected a quartz cron expression',
    },
    {
      story: 'an unknown kind',
      text: 'handlers: { b: { run: x } }\njobs:\n  - { name: a, handler: b, schedule: { kind: often } }\n',
      says: 'jobs.0.schedule.kind (line 4)',
    },
    {
      story: 'an unknown child',
      text: 'handlers: { b: { run: x } }\njobs:\n  - { name: a, handler: b, schedule: { kind: none }, children: [c] }\n',
      says: '"c" is none',
    },
    {
      story: 'an unknown strategy',
      text: 'handlers: { b: { run: x } }\njobs:\n  - { name: a, handler: b, schedule: { kind: none }, route: BEST }\n',
      says: 'jobs.0.route (line 4): expected one of FIRST, LAST',
    },
  ])('$story', ({ text, says }) => {
    const folder = folderWith(text);
    const { code, stdout, stderr } = horae(['ring', 'serve', 'ring.yaml'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
  });

  test('--check says that a right one is right', () => {
    expect(horae(['ring', 'serve', 'ring.yaml', '--check'], { cwd: folderWith(simple) })).toMatchObject({
      code: 0,
      stdout: 'right: 2 jobs, 1 handlers\n',
    });
  });
});
