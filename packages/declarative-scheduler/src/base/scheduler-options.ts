import { type Clock, type Random, resolveZone, systemClock, systemRandom } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { CronDialect } from '@horae/cron-grammar';
import { memoryTaskStore } from '../store/memory-task-store.js';
import type { Instances, TaskStore } from '../store/task-store.js';
import type { DurationInput } from '../task/duration.js';
import { badOption, checkOneOf, checkWhole, SchedulerOptionError } from '../task/option-error.js';
import { checkDuration, DIALECTS } from '../task/task-settings.js';
import { databaseStore } from './database-store.js';
import { checkLogger, type Logger, silentLogger } from './logger.js';

/** Options of `createScheduler`; each has a default. */
export interface SchedulerOptions {
  /** The system's clock by default. */
  readonly clock?: Clock;
  /** The zone in which cron expressions are read: an IANA name, the host's zone by default. */
  readonly zone?: string;
  /** Where the tasks are kept. In memory by default. */
  readonly store?: TaskStore;
  /** Instead of a store: a database URL such as `sqlite:./tasks.db`, or an open database, which stays open. */
  readonly database?: string | HoraeDatabase;
  /**
   * How several instances share a namespace of a database. `standby` (the default there): one leads, the others take over when it stops or
   * dies. `one`: `initialize` rejects while another leads. `alone`: no lease; for a single process, or a store of your own without `claim`.
   */
  readonly instances?: Instances;
  /** How cron expressions are read; strict POSIX by default. */
  readonly dialect?: CronDialect;
  /** How many callbacks may run at once; unlimited by default. Further due tasks wait. */
  readonly concurrency?: number;
  /** A run over this limit is aborted and counts as failed; without it a run may take for ever. */
  readonly taskTimeout?: DurationInput;
  /** pino's shape; silent by default. */
  readonly log?: Logger;
  /** Makes scheduler identifiers, draws jitter and spreads retries of a failing store; the system's entropy by default. */
  readonly random?: Random;
}

/** The options with their defaults. */
export type SchedulerSettings = ReturnType<typeof readOptions>;

const INSTANCES: readonly Instances[] = ['one', 'standby', 'alone'];

const KNOWN: Readonly<Record<keyof SchedulerOptions, true>> = {
  clock: true,
  zone: true,
  store: true,
  database: true,
  instances: true,
  dialect: true,
  concurrency: true,
  taskTimeout: true,
  log: true,
  random: true,
};

/** Checks the options and fills in the defaults. Throws `SchedulerOptionError` or `UnknownZoneError`. */
export function readOptions(options: SchedulerOptions) {
  checkNames(options);
  const { concurrency, taskTimeout, clock = systemClock(), log, dialect } = options;
  if (concurrency !== undefined && concurrency !== Number.POSITIVE_INFINITY) checkWhole('concurrency', concurrency, 1);
  if (dialect !== undefined) checkOneOf('dialect', dialect, DIALECTS);
  const store = chooseStore(options);
  return {
    clock,
    dialect,
    store,
    instances: chooseInstances(options.instances, store),
    log: log === undefined ? silentLogger : checkLogger(log),
    timeoutMs: taskTimeout === undefined ? null : checkDuration('taskTimeout', taskTimeout, 1),
    random: options.random ?? systemRandom(),
    zone: resolveZone(options.zone),
    concurrency: concurrency ?? Number.POSITIVE_INFINITY,
  };
}

/** A misspelt option must not fall back to its default: tasks that should be durable would live in memory. */
function checkNames(options: SchedulerOptions): void {
  if (typeof options !== 'object' || options === null) throw badOption('options', options, 'an object of options');
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown === undefined) return;
  throw new SchedulerOptionError(
    `${unknown} is no option of createScheduler: use ${Object.keys(KNOWN).join(', ')}; settings of one task go to initialize`,
    // Not the value: under a misspelt name it may be a URL with a password.
    { option: unknown, value: typeof options[unknown as keyof SchedulerOptions] },
  );
}

function chooseStore({ store, database }: SchedulerOptions): TaskStore {
  if (store === undefined) return database === undefined ? memoryTaskStore() : databaseStore(database);
  if (database === undefined) return store;
  throw new SchedulerOptionError('Give either a store or a database, not both', {
    option: 'database',
    // Not the URL itself: it may hold a password.
    value: typeof database,
  });
}

function chooseInstances(given: Instances | undefined, store: TaskStore): Instances {
  if (given === undefined) return store.claim === undefined ? 'alone' : (store.instances ?? 'standby');
  checkOneOf('instances', given, INSTANCES);
  if (given === 'alone' || store.claim !== undefined) return given;
  throw new SchedulerOptionError(`instances: '${given}' needs a store with claim; this one has none: use 'alone'`, {
    option: 'instances',
    value: given,
  });
}
