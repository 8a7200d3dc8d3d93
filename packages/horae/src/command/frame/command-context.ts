import { type Clock, systemClock } from '@horae/clock-store';
import { escapeLine } from '../output/escape-controls.js';
import { createProcessOutput } from '../output/process-output.js';

/** What a command receives from the process: time and output. */
export interface CommandContext {
  readonly clock: Clock;
  /** Whether standard output is a terminal, so that text is formatted for people. */
  readonly isTerminal: boolean;
  /** Writes text to standard output as it is. */
  write(text: string): void;
  /** Writes a line to standard output. For daemons; everything else returns an `Answer`. */
  writeLine(line: string): void;
  /** From now on the process continues when its standard output is lost. */
  outliveOutput(): void;
  /** Replaces the progress line on a terminal; does nothing in a pipe. An empty text clears it. */
  showProgress(text: string): void;
}

/** The context of this process. Progress is written to standard error, so it never mixes with redirected output. */
export function processContext(): CommandContext {
  const output = createProcessOutput();
  let isShown = false;
  return {
    ...output,
    clock: systemClock(),
    isTerminal: process.stdout.isTTY === true,
    writeLine: (line) => output.write(`${line}\n`),
    showProgress(text) {
      if (process.stderr.isTTY !== true || (text === '' && !isShown)) return;
      process.stderr.write(`\r\u001B[2K${escapeLine(text)}`);
      isShown = text !== '';
    },
  };
}
