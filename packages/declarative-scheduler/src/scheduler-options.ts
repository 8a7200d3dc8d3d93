import {
  type Clock,
  type DurationLike,
  type Random,
  resolveZone,
  systemClock,
  systemRandom,
  toDurationMs,
} from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import { type Logger, silentLogger } from './logger.js';
import { memoryTaskStore } from './memory-task-store.js';
import { SchedulerOptionError } from './scheduler-errors.js';
import type { TaskStore } from './task-store.js';

/** How a scheduler is made; everything has a default. */
export interface SchedulerOptions {
  /** The system's clock by default. */
  readonly clock?: Clock;
  /** In which zone cron expressions are read: an IANA name, the host's zone by default. */
  readonly zone?: string;
  /** Where the tasks are kept. In memory by default. */
  readonly store?: TaskStore;
  /** Instead of a store: a database URL such as `sqlite:./tasks.db`, or an open database, which stays open. */
  readonly database?: string | HoraeDatabase;
  /** Callbacks at once; unlimited by default. Due tasks wait their turn. */
  readonly concurrency?: number;
  /** A run over this limit is aborted and counts as failed; without it a run may take for ever. */
  readonly taskTimeout?: DurationLike;
  /** pino's shape; silent by default. */
  readonly log?: Logger;
  /** Makes scheduler identifiers and spreads retries of a failing store; the system's entropy by default. */
  readonly random?: Random;
}

/** The options with their defaults. */
export type SchedulerSettings = ReturnType<typeof readOptions>;

/** Checks the options and fills in the defaults. Throws `SchedulerOptionError` or `UnknownZoneError`. */
export function readOptions(options: SchedulerOptions) {
  const { store, database, concurrency, taskTimeout, clock = systemClock(), log = silentLogger } = options;
  if (store !== undefined && database !== undefined) {
    throw new SchedulerOptionError('Give either a store or a database, not both', {
      option: 'database',
      // Not the URL itself: it may hold a password.
      value: typeof database,
    });
  }
  if (concurrency !== undefined && concurrency !== Number.POSITIVE_INFINITY) {
    checkNumber('concurrency', concurrency, 1);
    if (!Number.isInteger(concurrency)) throw badNumber('concurrency', concurrency, 'a whole number from 1 on');
  }
  const timeoutMs = taskTimeout === undefined ? null : checkNumber('taskTimeout', toDurationMs(taskTimeout), 1);
  return {
    clock,
    log,
    timeoutMs,
    random: options.random ?? systemRandom(),
    zone: resolveZone(options.zone),
    store: store ?? (database === undefined ? memoryTaskStore() : databaseStore(database)),
    concurrency: concurrency ?? Number.POSITIVE_INFINITY,
  };
}

/** The SQL store, loaded when it is first used, so that a scheduler in memory never touches SQL code. */
function databaseStore(database: string | HoraeDatabase): TaskStore {
  let opened: Promise<TaskStore> | null = null;
  const store = () => {
    opened ??= import('./sql-task-store.js').then(({ sqlTaskStore }) => sqlTaskStore(database));
    return opened;
  };
  const close = async () => (await opened)?.close();
  return {
    load: async () => (await store()).load(),
    apply: async (change) => (await store()).apply(change),
    save: async (records) => (await store()).save(records),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The number, when it is finite and at least `least`. */
export function checkNumber(option: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value;
  throw badNumber(option, value, `a finite number from ${least} on`);
}

function badNumber(option: string, value: unknown, wanted: string): SchedulerOptionError {
  return new SchedulerOptionError(`${option} must be ${wanted}, got ${String(value)}`, { option, value });
}
