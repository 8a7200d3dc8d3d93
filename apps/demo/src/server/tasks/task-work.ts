import type { RunContext } from 'horae/tasks';
import type { Clock } from 'horae/time';
import type { DeclaredTask } from '../../wire/tasks.js';

export interface TaskWork {
  run(task: () => DeclaredTask, context: RunContext): Promise<void>;
  /** From now on work under way ignores its abort signal, as if the process had died. */
  unplug(): void;
  plugIn(): void;
}

/** The work behind every task of the demo: it takes its time, and ends as chosen on the page. */
export function createTaskWork(clock: Clock): TaskWork {
  let isUnplugged = false;
  return {
    async run(task, { signal, attempt }) {
      const quiet = new AbortController();
      signal.addEventListener('abort', () => isUnplugged || quiet.abort(signal.reason), { once: true });
      await clock.sleepFor(task().worksMs, { signal: quiet.signal });
      const { behaviour, name } = task();
      if (behaviour === 'fails') throw new Error(`${name} was told to fail`);
      if (behaviour === 'flaky' && attempt < 3) throw new Error(`no signal on attempt ${attempt}`);
    },
    unplug() {
      isUnplugged = true;
    },
    plugIn() {
      isUnplugged = false;
    },
  };
}
