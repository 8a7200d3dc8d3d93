import { type Clock, systemClock } from '@horae/clock-store';

/** What a command sees of the outside: time, and where its words go. */
export interface Surroundings {
  readonly clock: Clock;
  /** Whether standard output is a terminal: people read it, so more words are welcome. */
  readonly isTerminal: boolean;
  /** Writes a line to standard output. For daemons; everything else returns an `Answer`. */
  writeLine(line: string): void;
  /** Replaces the progress line on a terminal; does nothing in a pipe. An empty text clears it. */
  showProgress(text: string): void;
}

/** The surroundings of this process. Progress goes to standard error, so that a redirected answer stays clean. */
export function processSurroundings(): Surroundings {
  let isShown = false;
  return {
    clock: systemClock(),
    isTerminal: process.stdout.isTTY === true,
    writeLine: (line) => void process.stdout.write(`${line}\n`),
    showProgress(text) {
      if (process.stderr.isTTY !== true || (text === '' && !isShown)) return;
      process.stderr.write(`\r\u001B[2K${text}`);
      isShown = text !== '';
    },
  };
}
