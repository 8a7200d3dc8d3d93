import type { Clock } from 'horae/time';
import { repeat } from '../repeat.js';
import { type OwnerLock, takeOwnerLock } from '../sql-owner-lock.js';
import { createTaskDesk, type TaskClient, type TaskDeskOptions } from './task-desk.js';

/** The tasks of a file belong to one process at a time; another one waits for its end and takes over. */
export interface TaskKeeper {
  desk(): TaskClient | null;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

export async function startTaskKeeper(
  databaseFile: string,
  options: TaskDeskOptions,
  clock: Clock,
  onFailure: (error: unknown) => void,
): Promise<TaskKeeper> {
  let lock: OwnerLock | null = null;
  let desk: TaskClient | null = null;
  const ending = new AbortController();

  async function take(): Promise<void> {
    if (lock !== null) return;
    lock = takeOwnerLock(databaseFile);
    if (lock === null) return;
    desk = createTaskDesk(options);
    await desk.start();
  }

  await take();
  const looking = repeat(clock, LOOK_EVERY_MS, ending.signal, take, onFailure);
  return {
    desk: () => desk,
    async stop() {
      ending.abort();
      await looking;
      await desk?.stop();
      lock?.release();
    },
  };
}
