import type { Clock } from '@horae/clock-store';
import type { DaemonLog } from '../daemon/daemon-log.js';
import type { DaemonWork } from '../daemon/run-daemon.js';
import type { TasksConfig } from './tasks-config.js';
import { type PreparedSession, prepareSession, startSession, type TasksSession } from './tasks-session.js';

/** Starts the tasks of a configuration, and starts them anew with each reload. */
export async function tasksDaemon(options: {
  read(): Promise<TasksConfig>;
  readonly configPath: string;
  readonly clock: Clock;
  readonly log: DaemonLog;
}): Promise<DaemonWork> {
  const { read, configPath } = options;
  let prepared: PreparedSession = await prepareSession(await read(), configPath);
  let session: TasksSession = await startSession(prepared, options);
  let isStopping = false;

  return {
    async reload() {
      const next = await prepareSession(await read(), configPath);
      await session.stop();
      if (isStopping) return;
      try {
        session = await startSession(next, options);
        prepared = next;
      } catch (error) {
        session = await startSession(prepared, options);
        throw error;
      }
    },
    async stop() {
      isStopping = true;
      await session.stop({ deadlineMs: prepared.config.stopTimeout });
    },
  };
}
