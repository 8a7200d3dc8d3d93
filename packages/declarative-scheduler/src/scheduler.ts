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
import { createEventLog } from './event-log.js';
import { type Logger, silentLogger } from './logger.js';
import { memoryTaskStore } from './memory-task-store.js';
import { attachObservation } from './observe.js';
import { type DeclaredTask, parseRegistrations, type Registration } from './registration.js';
import { resolveOverrides, type StoredTasks } from './resolve-overrides.js';
import { SchedulerAlreadyActiveError, SchedulerOptionError, TaskStoreError } from './scheduler-errors.js';
import type { Scheduler } from './scheduler-interface.js';
import { activeWord, type SchedulerState, type SchedulerStep, schedulerTransition } from './scheduler-state.js';
import { createSession, type Session } from './session.js';
import { deserializeTask, type TaskRecord } from './task-record.js';
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

/** A scheduler that is not initialized yet. Options that cannot be used throw at once. */
export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const settings = readOptions(options);
  const { clock, store, log, random } = settings;
  const events = createEventLog(clock);
  const unsettled = new Map<string, Promise<void>>();
  let state: SchedulerState = 'uninitialized';
  let session: Session | null = null;
  let initializing: Promise<void> | null = null;
  let stopAsked = false;

  function step(taken: SchedulerStep): boolean {
    const next = schedulerTransition(state, taken);
    if (next === null) return false;
    state = next;
    return true;
  }

  async function initialize(registrations: readonly Registration[]): Promise<void> {
    if (!step('initialize')) throw new SchedulerAlreadyActiveError(activeWord(state));
    stopAsked = false;
    initializing = prepare(registrations);
    try {
      await initializing;
    } finally {
      initializing = null;
    }
    if (!stopAsked) await session!.begin();
  }

  async function prepare(registrations: unknown): Promise<void> {
    events.schedulerId = newIdentifier(random);
    try {
      const declared = declare(registrations);
      const overrides = resolveOverrides(declared, await load(), clock.now());
      if (overrides.put.length + overrides.remove.length > 0)
        await storing('apply the registrations', store.apply(overrides));
      session = createSession(overrides.tasks, { ...settings, events, unsettled });
    } catch (error) {
      await store.close().catch(() => {});
      step('initialization-failed');
      events.tell('SchedulerInitializationFailed', { error });
      throw error;
    }
    if (session.tasks.length > 0) events.tell('PollingStarted');
    step('initialized');
    events.tell('SchedulerInitializationCompleted');
    void session.finished.then(() => step('stopped'));
  }

  function declare(registrations: unknown): DeclaredTask[] {
    let declared: DeclaredTask[];
    try {
      declared = parseRegistrations(registrations);
    } catch (error) {
      events.tell('SchedulerInitializationStarted');
      throw error;
    }
    const told = declared.map(({ name, cron, retryDelayMs }) => ({ name, cron, retryDelayMs }));
    events.tell('SchedulerInitializationStarted', { registrations: told });
    return declared;
  }

  async function load(): Promise<StoredTasks> {
    const records = new Map<string, TaskRecord>();
    const discarded: string[] = [];
    for (const value of await storing('load the tasks', store.load())) {
      try {
        const record = deserializeTask(value);
        records.set(record.name, record);
      } catch (error) {
        const name = (value as { name?: unknown } | null)?.name;
        if (typeof name === 'string') discarded.push(name);
        events.tell('TaskRecordDiscarded', typeof name === 'string' ? { taskName: name, error } : { error });
        log.error({ err: error, taskName: name }, 'A stored task cannot be read; it counts as new');
      }
    }
    return { records, discarded };
  }

  async function stop(stopOptions: { readonly deadlineMs?: number } = {}): Promise<void> {
    const { deadlineMs } = stopOptions;
    if (deadlineMs !== undefined) checkNumber('deadlineMs', deadlineMs, 0);
    stopAsked = true;
    // What the initialization throws is told to who asked for it.
    if (initializing !== null) await initializing.catch(() => {});
    step('stop');
    if (state === 'stopping') await session!.stop({ deadlineMs });
  }

  const scheduler: Scheduler = Object.freeze({ initialize, stop });
  attachObservation(scheduler, { clock, events, tasks: () => session?.tasks ?? [] });
  return scheduler;
}

async function storing<T>(operation: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TaskStoreError(operation, error);
  }
}

function newIdentifier(random: Random): string {
  return Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
}

function readOptions(options: SchedulerOptions) {
  const { store, database, concurrency, taskTimeout, clock = systemClock(), log = silentLogger } = options;
  if (store !== undefined && database !== undefined) {
    throw new SchedulerOptionError('Give either a store or a database, not both', {
      option: 'database',
      value: String(database),
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

function checkNumber(option: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value;
  throw badNumber(option, value, `a finite number from ${least} on`);
}

function badNumber(option: string, value: unknown, wanted: string): SchedulerOptionError {
  return new SchedulerOptionError(`${option} must be ${wanted}, got ${String(value)}`, { option, value });
}
