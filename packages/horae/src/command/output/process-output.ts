/** Standard output of this process, and what happens when it is lost. */
export interface ProcessOutput {
  write(text: string): void;
  /** From now on a lost output is reported on standard error and the process continues. For daemons, whose work matters more. */
  outliveOutput(): void;
}

/**
 * The output of a command. A reader that has seen enough, as in `horae cron next … | head -1`, ends the process quietly; any other
 * failure, such as a full disk, is reported on standard error and ends it with exit code 1.
 */
export function createProcessOutput(): ProcessOutput {
  let isDaemon = false;
  let lostWrites = 0;
  // Every write has a callback that receives its error; without a listener the same error would end the process.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});

  function onWritten(error: NodeJS.ErrnoException | null | undefined): void {
    if (error == null) {
      if (lostWrites > 0) say(`standard output can be written again; ${lostWrites} lines were lost`);
      lostWrites = 0;
    } else if (isDaemon) {
      lostWrites += 1;
      if (lostWrites === 1) say(`${problemOf(error)}; going on without it`);
    } else if (error.code === 'EPIPE') {
      process.exit(0);
    } else {
      say(problemOf(error));
      process.exit(1);
    }
  }

  return {
    write: (text) => void process.stdout.write(text, onWritten),
    outliveOutput() {
      isDaemon = true;
    },
  };
}

function problemOf({ code, message }: NodeJS.ErrnoException): string {
  return `standard output cannot be written (${code ?? message})`;
}

function say(sentence: string): void {
  process.stderr.write(`horae: ${sentence}\n`);
}
