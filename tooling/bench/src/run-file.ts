import { isAskedFor, loadBenches } from './discover.js';
import { measure } from './measure.js';
import { report } from './verdict.js';

/** The request of the parent process to one child; one child per file keeps one file's code from warming or cooling another's. */
export interface FileTask {
  file: string;
  prefixes: string[];
  rounds: number;
  turnMs: number;
  list: boolean;
}

process.once('message', async (task: FileTask) => {
  const send = (message: unknown) => new Promise<void>((done) => process.send!(message, undefined, {}, () => done()));
  try {
    for (const bench of await loadBenches(task.file)) {
      if (!isAskedFor(bench.name, task.prefixes)) continue;
      if (task.list) {
        await send({ kind: 'listed', name: bench.name });
        continue;
      }
      const onRound = (round: number) => void send({ kind: 'progress', name: bench.name, round, rounds: task.rounds });
      await send({ kind: 'progress', name: bench.name, round: 0, rounds: task.rounds });
      await send({ kind: 'report', report: report(bench, await measure(bench, { ...task, onRound })) });
    }
  } catch (error) {
    await send({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  // Peers may leave timers or sockets behind; the figures are sent, so nothing is lost.
  process.exit(0);
});
