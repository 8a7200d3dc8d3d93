import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { horae, horaeOnTerminal, noTerminal, scratchFolder, startDaemon } from '../support/run-horae.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;
const evil = '\u001B[2J\u009B31mred\u0007\r';

test('the names of jobs are printed with their control characters escaped, and as they are in JSON', () => {
  const folder = scratchFolder();
  const database = ['--database', 'sqlite:./ring.db'];
  const added = horae(['ring', 'add', `job ${evil}`, '--handler', evil, ...database], { cwd: folder });
  const list = horae(['ring', 'list', ...database], { cwd: folder });
  for (const { code, stdout, stderr } of [added, list]) {
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(controls);
    expect(stdout).toContain('job \\u001b[2J\\u009b31mred\\u0007\\r');
  }
  const { stdout } = horae(['ring', 'list', ...database, '--json'], { cwd: folder });
  expect(stdout).not.toMatch(controls);
  expect(JSON.parse(stdout).jobs[0]).toMatchObject({ name: `job ${evil}`, handler: evil });
});

test.each([
  { story: 'a cron expression', words: ['cron', 'next', evil] },
  { story: 'a command', words: ['cron', evil] },
  { story: 'an option', words: ['cron', 'next', `--${evil}`] },
  { story: 'a file', words: ['sim', 'run', evil] },
  { story: 'a file, as JSON', words: ['sim', 'run', evil, '--json'] },
])('an error about $story repeats it escaped', ({ words }) => {
  const { code, stderr } = horae(words);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain('\\u001b[2J');
  expect(stderr).not.toMatch(controls);
});

const chatty =
  'database: sqlite:./tasks.db\nzone: UTC\ntasks: [{ name: "a\\e[2J", cron: "* * * * *", run: "sh ./say.sh" }]\n';

function chattyFolder(script: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'tasks.yaml'), chatty);
  writeFileSync(join(folder, 'say.sh'), `printf '\\033[2J\\302\\233tab\\tbell\\007\\n'\n${script}`);
  return folder;
}

test('what a task prints is escaped in the log of a daemon, for people', ({ skip }) => {
  const reason = noTerminal();
  if (reason !== undefined) skip(reason);
  const folder = chattyFolder('kill -TERM $(cat daemon.pid)\n');
  const { screen } = horaeOnTerminal(['tasks', 'run', 'tasks.yaml'], { cwd: folder, pidFile: 'daemon.pid' });
  expect(screen).toContain('task=a\\u001b[2J line=\\u001b[2J\\u009btab\\tbell\\u0007');
  expect(screen).not.toMatch(controls);
});

test('what a task prints is escaped in the log of a daemon, and in its history', async () => {
  const folder = chattyFolder('exit 1\n');
  const daemon = startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder });
  await daemon.line(({ event }) => event === 'TaskRunFailed');
  daemon.kill('SIGTERM');
  expect((await daemon.ended).stdout).not.toMatch(controls);
  expect(daemon.lines.find(({ message }) => message === 'output')).toMatchObject({
    line: '\u001B[2J\u009Btab\tbell\u0007',
  });
  const { stdout } = horae(['tasks', 'history', 'tasks.yaml'], { cwd: folder });
  expect(stdout).toContain('error=exit code 1: \\u001b[2J\\u009btab\\tbell\\u0007');
  expect(stdout).not.toMatch(controls);
});
