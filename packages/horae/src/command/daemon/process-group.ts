import type { ChildProcess } from 'node:child_process';

/** Sends a signal to a command and everything it started; on Windows, which has no process groups, to the command alone. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Whether anything of a command's group still lives. */
export function groupIsAlive(child: ChildProcess): boolean {
  if (process.platform === 'win32' || child.pid === undefined)
    return child.exitCode === null && child.signalCode === null;
  try {
    process.kill(-child.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
