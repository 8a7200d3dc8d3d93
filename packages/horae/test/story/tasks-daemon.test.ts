import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Daemon, horae, horaeOnTerminal, noTerminal, scratchFolder, startDaemon } from '../support/run-horae.js';

const event = (name: string, task: string) => (line: Readonly<Record<string, unknown>>) =>
  line.event === name && line.task === task;
const message = (text: string) => (line: Readonly<Record<string, unknown>>) => line.message === text;

/** A folder with a file of tasks; what a task does is written to `said.txt`. */
function folderWith(tasks: string, head = ''): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'tasks.yaml'), `database: sqlite:./tasks.db\nzone: UTC\n${head}tasks:\n${tasks}`);
  return folder;
}

async function ended(daemon: Daemon, signal: NodeJS.Signals) {
  daemon.kill(signal);
  return daemon.ended;
}

test('runs shell commands and modules, tells each start and end as JSON lines, and stops with SIGTERM', async () => {
  const folder = folderWith(
    [
      '  - { name: shell, cron: "* * * * *", run: "echo $HORAE_TASK $HORAE_ATTEMPT $WHERE", env: { WHERE: here } }',
      '  - { name: script, cron: "* * * * *", module: ./work.mjs, export: work }',
      '  - { name: typed, cron: "* * * * *", module: ./work.ts }\n',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'work.mjs'),
    'import { writeFileSync } from "node:fs"; export const work = ({ taskName, reason }) => writeFileSync("said.txt", [taskName, reason].join(" "));',
  );
  writeFileSync(
    join(folder, 'work.ts'),
    'export default async ({ attempt }: { attempt: number }): Promise<number> => attempt;\n',
  );
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  for (const task of ['shell', 'script', 'typed']) await daemon.line(event('TaskRunCompleted', task));
  expect(daemon.lines.find(({ task, line }) => task === 'shell' && line !== undefined)).toMatchObject({
    line: 'shell 1 here',
  });
  expect(readFileSync(join(folder, 'said.txt'), 'utf8')).toBe('script boot');
  const { code, stderr } = await ended(daemon, 'SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(daemon.lines.at(-1)).toMatchObject({ level: 'info', message: 'stopped' });
});

test('inspect, explain and history tell what a daemon did, while it runs and afterwards', async () => {
  const folder = folderWith(
    [
      '  - { name: good, cron: "* * * * *", run: "true" }',
      '  - { name: bad, cron: "* * * * *", run: "echo broken pipe >&2; exit 7", retry: 1h }',
      '  - { name: later, cron: "0 0 29 2 *", run: "true" }\n',
    ].join('\n'),
  );
  const before = JSON.parse(horae(['tasks', 'inspect', 'tasks.yaml', '--json'], { cwd: folder }).stdout);
  expect(before.tasks.map(({ standing }: { standing: string }) => standing)).toEqual(
    Array(3).fill('not yet registered'),
  );
  expect(horae(['tasks', 'explain', 'tasks.yaml', 'good'], { cwd: folder }).stdout).toContain('is not registered yet');
  expect(horae(['tasks', 'history', 'tasks.yaml'], { cwd: folder }).stdout).toBe('nothing yet\n');

  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(event('TaskRunCompleted', 'good'));
  expect(await daemon.line(event('TaskRunFailed', 'bad'))).toMatchObject({
    level: 'warn',
    error: 'exit code 7: broken pipe',
  });
  const { tasks } = JSON.parse(horae(['tasks', 'inspect', 'tasks.yaml', '--json'], { cwd: folder }).stdout);
  expect(tasks).toMatchObject([
    { name: 'good', state: 'AwaitingRun', standing: 'registered', lastFailureAt: null },
    { name: 'bad', state: 'AwaitingRetry', lastSuccessAt: null },
    { name: 'later', state: 'AwaitingRun', lastAttemptAt: null },
  ]);
  expect((await ended(daemon, 'SIGINT')).code).toBe(0);

  const table = horae(['tasks', 'inspect', 'tasks.yaml'], { cwd: folder }).stdout;
  expect(table.split('\n')[0]).toMatch(/^TASK +CRON +STATE +NEXT/);
  const explained = horae(['tasks', 'explain', 'tasks.yaml', 'bad', '--at', String(tasks[1].pendingRetryUntil - 1)], {
    cwd: folder,
  });
  expect(explained.stdout).toMatch(/^bad (does not start|starts) at /);
  const retried = JSON.parse(
    horae(['tasks', 'explain', 'tasks.yaml', 'later', '--at', '2027-01-01', '--json'], { cwd: folder }).stdout,
  );
  expect(retried).toMatchObject({ wouldRun: false, registered: true, nextDueAt: Date.UTC(2028, 1, 29) });
  const { events } = JSON.parse(
    horae(['tasks', 'history', 'tasks.yaml', '--task', 'bad', '--json'], { cwd: folder }).stdout,
  );
  expect(events[0]).toMatchObject({ event: 'TaskRunStarted', task: 'bad', facts: { attempt: 1 } });
  expect(events[1]).toMatchObject({ event: 'TaskRunFailed', facts: { error: 'exit code 7: broken pipe' } });
  const all = horae(['tasks', 'history', 'tasks.yaml', '--all'], { cwd: folder }).stdout;
  expect(all).toContain('SchedulerStopped');
});

test('dialect, zone, retries and calendars differ from task to task, and inspect and explain know them', async () => {
  const folder = folderWith(
    [
      '  - { name: often, dialect: quartz, cron: "* * * * * ?", run: "exit 3", backoff: { first: 100ms, max: 1s }, maxRetries: 0 }',
      '  - { name: steps, cron: "*/5 9 * * mon-fri", zone: Asia/Kolkata, run: "true" }',
      '  - { name: holiday, cron: "0 0 * * *", run: "true", except: [{ weekdays: [0, 1, 2, 3, 4, 5] }], jitter: 1s }\n',
    ].join('\n'),
    'dialect: vixie\n',
  );
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(event('TaskRetriesExhausted', 'often'));
  await ended(daemon, 'SIGTERM');
  const { tasks } = JSON.parse(horae(['tasks', 'inspect', 'tasks.yaml', '--json'], { cwd: folder }).stdout);
  const [, steps, holiday] = tasks as { nextDueAt: number; paused: boolean }[];
  expect(new Date(steps!.nextDueAt).toISOString()).toMatch(/T03:[3-5][05]:00|T04:[0-2][05]:00/);
  expect({ day: new Date(holiday!.nextDueAt).getUTCDay(), paused: holiday!.paused }).toEqual({ day: 6, paused: false });
  const explain = (at: string) =>
    JSON.parse(horae(['tasks', 'explain', 'tasks.yaml', 'holiday', '--at', at, '--json'], { cwd: folder }).stdout);
  const saturday = new Date(holiday!.nextDueAt + 1_000).toISOString();
  expect(explain(saturday)).toMatchObject({ wouldRun: true, reason: 'cron', dueAt: holiday!.nextDueAt });
  expect(explain(new Date(holiday!.nextDueAt - 1_000).toISOString())).toMatchObject({ wouldRun: false });
});

test.each([
  ['cron: "*/5 * * * *"', 'dialect: vixie'],
  ['cron: "0 0 * * *", except: [{ dates: ["13-45"] }]', 'tasks.0.except.0'],
  ['cron: "0 0 * * *", backoff: { first: 2m, max: 1m }', 'tasks.0.backoff.max'],
  ['cron: "0 0 * * *", zone: Atlantis', 'tasks.0.zone'],
])('a task with %s is refused, and the message names %s', (fields, named) => {
  const folder = folderWith(`  - { name: a, ${fields}, run: "true" }\n`);
  const { stderr, code } = horae(['tasks', 'run', 'tasks.yaml', '--check'], { cwd: folder });
  expect(code).not.toBe(0);
  expect(stderr).toContain(named);
});

test('explain runs nothing and changes nothing', async () => {
  const folder = folderWith('  - { name: once, cron: "* * * * *", run: "echo ran >> said.txt" }\n');
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(event('TaskRunCompleted', 'once'));
  await ended(daemon, 'SIGTERM');
  const runs = readFileSync(join(folder, 'said.txt'), 'utf8');
  const ask = () =>
    horae(['tasks', 'explain', 'tasks.yaml', 'once', '--at', '2030-01-01T00:00Z', '--json'], { cwd: folder }).stdout;
  expect(JSON.parse(ask())).toMatchObject({ wouldRun: true, reason: 'cron' });
  expect(ask()).toBe(ask());
  expect(readFileSync(join(folder, 'said.txt'), 'utf8')).toBe(runs);
});

test('SIGHUP takes a changed file, and keeps the old one when the new one is wrong', async () => {
  const folder = folderWith('  - { name: first, cron: "* * * * *", run: "true" }\n');
  const file = join(folder, 'tasks.yaml');
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(event('TaskRunCompleted', 'first'));
  await daemon.line(message('running'));
  const right = readFileSync(file, 'utf8');
  writeFileSync(file, right.replace('* * * * *', '*/5 * * * *'));
  daemon.kill('SIGHUP');
  const refusal = await daemon.line(({ level }) => level === 'error');
  expect(refusal.message).toContain('the old one stays');
  expect(JSON.stringify(refusal.error)).toContain('tasks.0.cron (line 4)');
  writeFileSync(file, `${right}  - { name: second, cron: "* * * * *", run: "true" }\n`);
  daemon.kill('SIGHUP');
  await daemon.line(event('TaskRunCompleted', 'second'));
  await daemon.line(message('reloaded'));
  expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
});

test('a reload sees a changed module', async () => {
  const folder = folderWith('  - { name: first, cron: "* * * * *", module: ./work.mjs }\n');
  const module = (word: string) =>
    `import { appendFileSync } from 'node:fs'; export default () => appendFileSync('said.txt', '${word}\\n');`;
  writeFileSync(join(folder, 'work.mjs'), module('old'));
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(event('TaskRunCompleted', 'first'));
  await daemon.line(message('running'));
  writeFileSync(join(folder, 'work.mjs'), module('new'));
  appendFileSync(join(folder, 'tasks.yaml'), '  - { name: second, cron: "* * * * *", module: ./work.mjs }\n');
  daemon.kill('SIGHUP');
  await daemon.line(event('TaskRunCompleted', 'second'));
  expect(readFileSync(join(folder, 'said.txt'), 'utf8').trim().split('\n').at(-1)).toBe('new');
  await ended(daemon, 'SIGTERM');
});

test('a stop waits for what runs; a second signal does not', async () => {
  const slow = 'touch begun; i=0; while [ ! -e go ] && [ $i -lt 3000 ]; do sleep 0.02; i=$((i+1)); done; touch done';
  const folder = folderWith(`  - { name: slow, cron: "* * * * *", run: "${slow}" }\n`);
  const patient = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await patient.line(event('TaskRunStarted', 'slow'));
  patient.kill('SIGTERM');
  await patient.line(message('stopping'));
  writeFileSync(join(folder, 'go'), '');
  expect((await patient.ended).code).toBe(0);
  expect(existsSync(join(folder, 'done'))).toBe(true);

  const other = folderWith(`  - { name: slow, cron: "* * * * *", run: "echo $$ > pid; ${slow}" }\n`);
  const impatient = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: other });
  await impatient.line(event('TaskRunStarted', 'slow'));
  impatient.kill('SIGTERM');
  await impatient.line(message('stopping'));
  impatient.kill('SIGINT');
  expect((await impatient.ended).code).toBe(130);
  expect(existsSync(join(other, 'done'))).toBe(false);
});

test('a stop that takes too long ends the commands', async () => {
  const folder = folderWith('  - { name: stuck, cron: "* * * * *", run: "exec sleep 600" }\n', 'stopTimeout: 200ms\n');
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(event('TaskRunStarted', 'stuck'));
  expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
});

test('a run over the time limit is ended and has failed', async () => {
  const folder = folderWith(
    '  - { name: stuck, cron: "* * * * *", run: "sleep 600", retry: 1h }\n',
    'timeout: 300ms\n',
  );
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  expect(await daemon.line(event('TaskRunFailed', 'stuck'))).toMatchObject({ level: 'warn' });
  await ended(daemon, 'SIGTERM');
});

test('a second daemon on the same tasks is refused; another namespace is free', async () => {
  const folder = folderWith('  - { name: first, cron: "* * * * *", run: "true" }\n');
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(message('running'));
  const second = horae(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`process ${daemon.child.pid} `);
  expect(second.stderr).toMatch(/^hint: stop it, or give one of the two another namespace/m);
  const beside = startDaemon(['tasks', 'run', 'tasks.yaml', '--namespace', 'beside'], { cwd: folder });
  await beside.line(event('TaskRunCompleted', 'first'));
  expect((await ended(beside, 'SIGTERM')).code).toBe(0);
  expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
});

test('a second daemon that stands by takes over when the first one is killed, orphans included', async () => {
  const folder = folderWith(
    '  - { name: long, cron: "* * * * *", run: "test -f over || { touch over; sleep 600; }" }\n',
    'instances: standby\n',
  );
  const first = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await first.line(event('TaskRunStarted', 'long'));
  const second = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  expect(await second.line(message('running'))).toMatchObject({ role: 'standby' });
  await ended(first, 'SIGKILL');
  expect(await second.line(event('TaskRunStarted', 'long'))).toMatchObject({ reason: 'orphan' });
  await second.line(event('TaskRunCompleted', 'long'));
  expect((await ended(second, 'SIGTERM')).code).toBe(0);
});

test('a daemon without tasks waits for a reload', async () => {
  const folder = folderWith('  []\n');
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(message('running'));
  writeFileSync(
    join(folder, 'tasks.yaml'),
    'database: sqlite:./tasks.db\ntasks: [{ name: first, cron: "* * * * *", run: "true" }]\n',
  );
  daemon.kill('SIGHUP');
  await daemon.line(event('TaskRunCompleted', 'first'));
  expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
});

test('configurations may be JSON, JavaScript or TypeScript, with functions', async () => {
  const folder = scratchFolder();
  const tasks = { database: 'sqlite:./tasks.db', tasks: [{ name: 'one', cron: '* * * * *', run: 'true' }] };
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(tasks));
  writeFileSync(join(folder, 'tasks.mjs'), `export default ${JSON.stringify(tasks)};`);
  writeFileSync(
    join(folder, 'tasks.ts'),
    'type Name = string; const name: Name = "one"; export default { database: "sqlite:./tasks.db", tasks: [{ name, cron: "* * * * *", run: () => { console.log(JSON.stringify({ said: name })); } }] };',
  );
  for (const file of ['tasks.json', 'tasks.mjs', 'tasks.ts']) {
    const { code, stdout } = horae(['tasks', 'run', file, '--check', '--json'], { cwd: folder });
    expect({ file, code, answer: JSON.parse(stdout) }).toEqual({ file, code: 0, answer: { ok: true, tasks: ['one'] } });
  }
  const daemon = startDaemon(['tasks', 'run', 'tasks.ts'], { cwd: folder });
  await daemon.line(({ said }) => said === 'one');
  await ended(daemon, 'SIGTERM');
});

describe('a wrong configuration is exit code 1 and names path, line and what belongs there', () => {
  test.each([
    { story: 'broken YAML', text: 'tasks: [\n', says: 'the document (line' },
    { story: 'no tasks', text: 'zone: UTC\n', says: 'tasks (line 1): expected an array, got nothing' },
    {
      story: 'an unknown field',
      text: 'tasks: []\nzones: UTC\n',
      says: 'zones (line 2): expected no such field, got "UTC"',
    },
    {
      story: 'a cron with steps',
      text: 'tasks:\n  - name: a\n    cron: "*/5 * * * *"\n    run: x\n',
      says: 'tasks.0.cron (line 3): expected a cron expression (',
    },
    {
      story: 'a date that never comes',
      text: 'tasks: [{ name: a, cron: "0 0 30 2 *", run: x }]',
      says: 'that date never comes',
    },
    {
      story: 'a zone that is none',
      text: 'zone: Mars\ntasks: []\n',
      says: 'zone (line 1): expected an IANA time zone, such as Europe/Berlin, got "Mars"',
    },
    {
      story: 'a duration that is none',
      text: 'tasks:\n  - { name: a, cron: "* * * * *", run: x, retry: soon }\n',
      says: 'tasks.0.retry (line 2): expected a duration such as 30s',
    },
    {
      story: 'a negative delay',
      text: 'tasks:\n  - { name: a, cron: "* * * * *", run: x, retry: -5 }\n',
      says: 'tasks.0.retry (line 2): expected a duration',
    },
    {
      story: 'nothing to run',
      text: 'tasks:\n  - { name: a, cron: "* * * * *" }\n',
      says: 'tasks.0.run (line 2): expected either "run"',
    },
    {
      story: 'a name twice',
      text: 'tasks:\n  - { name: a, cron: "* * * * *", run: x }\n  - { name: a, cron: "* * * * *", run: x }\n',
      says: 'tasks.1.name (line 3): expected a name of its own, got "a"',
    },
    {
      story: 'a module that is not there',
      text: 'tasks:\n  - { name: a, cron: "* * * * *", module: ./none.js }\n',
      says: 'there is no file ./none.js',
    },
    { story: 'a database that is none', text: 'database: mongodb://x\ntasks: []\n', says: 'mongodb' },
    { story: 'a folder that is not there', text: 'database: sqlite:./none/tasks.db\ntasks: []\n', says: 'none' },
  ])('$story', ({ text, says }) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'tasks.yaml'), text);
    const { code, stdout, stderr } = horae(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/^hint: /m);
  });

  test('a module without the export, and one that does not load', () => {
    const folder = folderWith('  - { name: a, cron: "* * * * *", module: ./work.mjs, export: work }\n');
    writeFileSync(join(folder, 'work.mjs'), 'export const other = 1;');
    expect(horae(['tasks', 'run', 'tasks.yaml'], { cwd: folder }).stderr).toContain(
      'no export "work"; it exports other',
    );
    writeFileSync(join(folder, 'work.mjs'), 'export const work = 1;');
    expect(horae(['tasks', 'run', 'tasks.yaml'], { cwd: folder }).stderr).toContain('is no function');
    writeFileSync(join(folder, 'work.mjs'), 'export const = 1;');
    expect(horae(['tasks', 'run', 'tasks.yaml'], { cwd: folder }).stderr).toContain('cannot be loaded');
  });

  test('a task that is not there', () => {
    const folder = folderWith('  - { name: a, cron: "* * * * *", run: x }\n');
    const { code, stderr } = horae(['tasks', 'explain', 'tasks.yaml', 'b'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toContain('has no task "b"\nhint: there are a');
  });
});

test('the log is for people on a terminal', ({ skip }) => {
  const reason = noTerminal();
  if (reason !== undefined) skip(reason);
  // The task itself tells the daemon to stop, so that the terminal closes.
  const folder = folderWith('  - { name: last, cron: "* * * * *", run: "echo bye; kill -TERM $(cat daemon.pid)" }\n');
  const { screen } = horaeOnTerminal(['tasks', 'run', 'tasks.yaml'], { cwd: folder, pidFile: 'daemon.pid' });
  expect(screen).toMatch(/^\d\d:\d\d:\d\d {2}started {2}task=last reason=boot/m);
  expect(screen).toMatch(/^\d\d:\d\d:\d\d {2}output {2}task=last line=bye$/m);
  expect(screen).toMatch(/^\d\d:\d\d:\d\d {2}stopped$/m);
});

test('a Ctrl-C that npx passes on a second time is one wish', ({ skip }) => {
  const reason = noTerminal();
  if (reason !== undefined) skip(reason);
  const twice = 'kill -INT $(cat daemon.pid); kill -INT $(cat daemon.pid)';
  const folder = folderWith(`  - { name: last, cron: "* * * * *", run: "${twice}; sleep 0.3; touch done" }\n`);
  const { screen } = horaeOnTerminal(['tasks', 'run', 'tasks.yaml'], { cwd: folder, pidFile: 'daemon.pid' });
  expect(screen).toMatch(/stopped$/m);
  expect(existsSync(join(folder, 'done'))).toBe(true);
});
