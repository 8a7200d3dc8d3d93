import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type ActionColumns, simulateColumns } from '@horae/epoch-sim';
import type { Contender } from '@horae-tooling/bench';
import { findSimPy as findInstalled, runPython } from '../support/python.js';

const PROGRAM = fileURLToPath(new URL('./simpy_crowd.py', import.meta.url));
/** The name and version of the SimPy that is installed, and a Python that has it; null where there is none. */
export function findSimPy(): { name: string; interpreter: string } | null {
  return findInstalled(PROGRAM);
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
      const printed = runPython(interpreter, PROGRAM, '--check', input) ?? '';
      if (!isDeepStrictEqual(theirEvents(printed, columns.minutes), ourEvents(columns)))
        throw new Error('SimPy gives other events than simulateColumns, so their times cannot be compared');
      return input;
    },
    sample: (input) => Number(runPython(interpreter, PROGRAM, null, input) ?? Number.NaN),
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
