import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { type Daemon, horae, scratchFolder, startDaemon } from '../support/run-horae.js';

type LogLine = Daemon['lines'][number];

const KILLS = process.env.HORAE_LONG === '1' ? 60 : 12;
const names = ['alpha', 'beta', 'gamma'];
const isStart = ({ event }: LogLine) => event === 'TaskRunStarted' || event === 'TaskRetryStarted';

interface Stored {
  readonly name: string;
  readonly state: string | null;
  readonly standing: string;
}

/** Each run says that it began and that it ended, with the minute it stands for. */
function folderOfTasks(): string {
  const folder = scratchFolder();
  const run =
    'echo begin $HORAE_TASK $HORAE_DUE_AT >> said.txt; sleep 0.05; echo end $HORAE_TASK $HORAE_DUE_AT >> said.txt';
  const tasks = names.map((name) => ({ name, cron: '* * * * *', run }));
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify({ database: 'sqlite:./tasks.db', zone: 'UTC', tasks }));
  return folder;
}

function stored(folder: string): readonly Stored[] {
  return JSON.parse(horae(['tasks', 'inspect', 'tasks.json', '--json'], { cwd: folder }).stdout).tasks;
}

test('a daemon killed again and again runs what was left running once more, and nothing else again', async () => {
  const random = seededRandom('killed daemon');
  const folder = folderOfTasks();
  let left: readonly string[] = [];
  const begun = new Set<string>();
  for (let kill = 0; kill <= KILLS; kill++) {
    const daemon = startDaemon(['tasks', 'run', 'tasks.json'], { cwd: folder });
    await daemon.line(({ message }) => message === 'running');
    const isLast = kill === KILLS;
    if (isLast) {
      daemon.kill('SIGTERM');
      expect((await daemon.ended).code).toBe(0);
    } else {
      // Not after a time, but after so many lines: the same places on a slow machine and on a fast one.
      const after = random.below(4);
      for (let seen = 0; seen < after; seen++) await nextLine(daemon, seen + 1);
      daemon.kill('SIGKILL');
      await daemon.ended;
    }
    const starts = daemon.lines.filter(isStart);
    for (const name of names) {
      const own = starts.filter(({ task }) => task === name);
      const orphans = own.filter(({ reason }) => reason === 'orphan');
      expect({ kill, name, orphans: orphans.length }).toEqual({ kill, name, orphans: left.includes(name) ? 1 : 0 });
      // Whatever else starts stands for a minute that nothing has started for.
      for (const { reason, dueAt } of own) {
        if (reason === 'orphan') continue;
        expect(begun.has(`${name} ${dueAt}`)).toBe(false);
        begun.add(`${name} ${dueAt}`);
      }
    }
    const tasks = stored(folder);
    left = tasks.filter(({ state }) => state === 'Running').map(({ name }) => name);
    expect(tasks.map(({ standing }) => standing)).toEqual(names.map(() => 'registered'));
  }
  expect(left).toEqual([]);
  // Nothing is lost: the last begin of every task has its end.
  const said = readFileSync(join(folder, 'said.txt'), 'utf8').trim().split('\n');
  for (const name of names) {
    const own = said.filter((line) => line.includes(` ${name} `));
    expect(own.at(-1)).toMatch(/^end /);
  }
}, 600_000);

/** Resolves when a daemon has said `count` lines more than "running", or every task of it has ended. */
function nextLine(daemon: Daemon, count: number): Promise<unknown> {
  return daemon.line(() => {
    const at = daemon.lines.findIndex(({ message }) => message === 'running');
    const isIdle =
      daemon.lines.filter(isStart).length === daemon.lines.filter(({ event }) => event === 'TaskRunCompleted').length;
    return at >= 0 && (daemon.lines.length > at + count || isIdle);
  });
}
