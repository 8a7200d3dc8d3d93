import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type ActionColumns, simulateColumns } from '@horae/epoch-sim';
import type { Contender } from '@horae-tooling/bench';

const PROGRAM = fileURLToPath(new URL('./simpy_crowd.py', import.meta.url));
/** The first one on the path may be another Python than the one that the system's packages are for. */
const INTERPRETERS = ['python3', '/usr/bin/python3'];
const MOST_OUTPUT_BYTES = 64 * 2 ** 20;
const MOST_MS = 300_000;

function runProgram(interpreter: string, option: string | null, input: string): string | null {
  const { status, stdout } = spawnSync(interpreter, option === null ? [PROGRAM] : [PROGRAM, option], {
    input,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
    timeout: MOST_MS,
  });
  return status === 0 ? stdout.trim() : null;
}

/** The name and version of the SimPy that is installed, and a Python that has it; null where there is none. */
export function findSimPy(): { name: string; interpreter: string } | null {
  for (const interpreter of INTERPRETERS) {
    const name = runProgram(interpreter, '--version', '');
    if (name !== null) return { name, interpreter };
  }
  return null;
}

/**
 * Actions with one FIFO lock each on SimPy, in a process of its own that takes the time itself: neither the interpreter's
 * start nor reading the input is in it. Before the first round its events are compared with ours.
 */
export function simPyContender(interpreter: string, columnsOf: () => ActionColumns): Contender<string> {
  return {
    setup() {
      const columns = columnsOf();
      const input = textOf(columns);
      const printed = runProgram(interpreter, '--check', input) ?? '';
      if (!isDeepStrictEqual(theirEvents(printed, columns.minutes), ourEvents(columns)))
        throw new Error('SimPy gives other events than simulateColumns, so their times cannot be compared');
      return input;
    },
    sample: (input) => Number(runProgram(interpreter, null, input) ?? Number.NaN),
  };
}

function textOf({ minutes, submit, duration, lock }: ActionColumns): string {
  const locks = lock.reduce((most, one) => Math.max(most, one + 1), 1);
  return [`${minutes} ${locks}`, ...Array.from(submit, (at, i) => `${at} ${duration[i]} ${lock[i]}`)].join('\n');
}

/** SimPy has no phases of a minute, so the events of one are compared as a set; it also starts what we leave to the next epoch. */
function theirEvents(printed: string, minutes: number): string[] {
  const events = printed.split('\n').filter((event) => !event.startsWith(`${minutes} 0 `));
  return events.sort();
}

function ourEvents(columns: ActionColumns): string[] {
  const { type, action, t } = simulateColumns(columns);
  return Array.from(type, (kind, i) => `${t[i]} ${kind} ${action[i]}`).sort();
}
