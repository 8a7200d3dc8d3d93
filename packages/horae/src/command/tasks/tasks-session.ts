import type { Clock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { createScheduler, observe, type Registration, type SchedulerOptions } from '@horae/declarative-scheduler';
import { sqlTaskStore } from '@horae/declarative-scheduler/sql';
import { createClosers } from '../daemon/closers.js';
import type { DaemonLog } from '../daemon/daemon-log.js';
import { loadWork, type Work } from '../daemon/work.js';
import { logTaskEvent, taskEventNames } from './log-task-event.js';
import { createHistory } from './sql-task-history.js';
import { taskSettings } from './task-settings-fields.js';
import type { TasksConfig } from './tasks-config.js';

/** A configuration whose modules are loaded. */
export interface PreparedSession {
  readonly config: TasksConfig;
  readonly works: readonly Work[];
}

/** A scheduler at work, from its database to its history. */
export interface TasksSession {
  stop(options?: { readonly deadlineMs: number }): Promise<void>;
}

/** Loads what a configuration names, so that a wrong module is reported before anything runs. */
export async function prepareSession(config: TasksConfig, configPath: string): Promise<PreparedSession> {
  const works: Work[] = [];
  for (const task of config.tasks) works.push(await loadWork(task, configPath, `task "${task.name}"`));
  return { config, works };
}

/**
 * Opens the database and starts the scheduler, which leads the namespace or stands by. When a step fails, everything opened is closed
 * again.
 */
export async function startSession(
  { config, works }: PreparedSession,
  { clock, log }: { clock: Clock; log: DaemonLog },
): Promise<TasksSession> {
  const closers = createClosers();
  try {
    const database = await openDatabase(config.database);
    closers.add(() => database.close());
    const history = await createHistory(database, { namespace: config.namespace, limit: config.historyLimit, log });
    closers.add(() => history.flush());
    const scheduler = createScheduler({
      clock,
      log: schedulerLog(log),
      store: sqlTaskStore(database, { namespace: config.namespace }),
      ...schedulerOptions(config),
    });
    const watch = observe(scheduler);
    for (const name of taskEventNames) {
      watch.on(name, (event) => {
        history.add(event);
        logTaskEvent(log, event);
      });
    }
    const tasks = Object.fromEntries(config.tasks.map((task) => [task.name, taskSettings(task)]));
    await scheduler.initialize(registrationsOf(config, works, log), { tasks });
    const role = watch.role();
    log.info({ pid: process.pid, database: database.url, tasks: config.tasks.length, role }, 'running');
    return {
      async stop(options) {
        await scheduler.stop(options);
        await closers.close();
      },
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** What the scheduler logs besides its events, which the daemon logs itself: tasks that changed or were removed, late starts. */
function schedulerLog(log: DaemonLog): DaemonLog {
  const isOwn = (facts: object) => !('event' in facts) || /^Task(Overridden|Forgotten)$/.test(String(facts.event));
  const besides =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (facts: object, message: string): void => {
      if (isOwn(facts)) log[level](facts, message);
    };
  return { ...log, debug: besides('debug'), info: besides('info'), warn: besides('warn'), error: besides('error') };
}

function schedulerOptions({ zone, dialect, concurrency, timeout, instances }: TasksConfig): SchedulerOptions {
  return {
    instances,
    dialect,
    ...(zone === undefined ? {} : { zone }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { taskTimeout: timeout }),
  };
}

function registrationsOf(config: TasksConfig, works: readonly Work[], log: DaemonLog): Registration[] {
  return config.tasks.map(({ name, cron, retry }, index) => {
    const callback: Registration[2] = (context) =>
      works[index]!({
        signal: context.signal,
        argument: context,
        variables: {
          HORAE_TASK: name,
          HORAE_ATTEMPT: String(context.attempt),
          HORAE_REASON: context.reason,
          HORAE_DUE_AT: new Date(context.dueAt).toISOString(),
        },
        log: (line) => log.info({ task: name, line }, 'output'),
      });
    return [name, cron, callback, retry];
  });
}
