import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder, startDaemon } from '../support/run-horae.js';

const event = (name: string) => (line: Readonly<Record<string, unknown>>) => line.event === name;

function tasksDaemon(run: string, { head = '', env = {} }: { head?: string; env?: Record<string, string> } = {}) {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'job.sh'), run);
  writeFileSync(
    join(folder, 'tasks.yaml'),
    `database: sqlite:./tasks.db\nzone: UTC\n${head}tasks:\n  - { name: job, cron: "* * * * *", run: "sh ./job.sh", retry: 1h }\n`,
  );
  return { folder, daemon: startDaemon(['tasks', 'run', 'tasks.yaml'], { cwd: folder, env }) };
}

/** The pid that a job wrote; the process is ended with the test. */
function leftBehind(folder: string): number {
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone, as it should be.
    }
  });
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    // A zombie that nobody has buried yet is dead.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('600 MB without a newline cost a daemon one cut line and little memory', async () => {
  const { daemon } = tasksDaemon("head -c 600000000 /dev/zero | tr '\\0' x; echo; echo after\n");
  await daemon.line(event('TaskRunCompleted'));
  const lines = daemon.lines.filter(({ message }) => message === 'output').map(({ line }) => String(line));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^x{8192}… \(599991808 more bytes dropped\)$/);
  expect(lines[1]).toBe('after');
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)![1])).toBeLessThan(400_000);
  }
});

test('a run ends with its shell, and neither it nor a stop waits for what the shell left in the background', async () => {
  const { folder, daemon } = tasksDaemon('echo begun\nsleep 300 &\necho $! > pid\necho done\n');
  await daemon.line(event('TaskRunCompleted'));
  const pid = leftBehind(folder);
  expect(daemon.lines.filter(({ message }) => message === 'output').map(({ line }) => line)).toEqual(['begun', 'done']);
  expect(isAlive(pid)).toBe(true);
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect(isAlive(pid)).toBe(true);
});

test('a run that is aborted takes its background processes with it', async () => {
  const { folder, daemon } = tasksDaemon('sleep 300 &\necho $! > pid\necho begun\nwait\n', {
    head: 'stopTimeout: 100ms\n',
  });
  await daemon.line(({ line }) => line === 'begun');
  const pid = leftBehind(folder);
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

test("shell jobs get the daemon's environment and their own, but not the scheduler's tokens", async () => {
  const { daemon } = tasksDaemon('echo "[$HORAE_TOKEN][$HORAE_ADMIN_TOKEN][$GIVEN][$HORAE_TASK]"\n', {
    env: { HORAE_TOKEN: 'secret', HORAE_ADMIN_TOKEN: 'secret', GIVEN: 'given' },
  });
  await daemon.line(event('TaskRunCompleted'));
  expect(daemon.lines.find(({ message }) => message === 'output')).toMatchObject({ line: '[][][given][job]' });
});
