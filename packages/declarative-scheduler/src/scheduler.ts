import type { Random } from '@horae/clock-store';
import { createEventLog } from './event-log.js';
import { attachObservation } from './observe.js';
import { prepareSession } from './prepare-session.js';
import type { Registration } from './registration.js';
import { SchedulerAlreadyActiveError } from './scheduler-errors.js';
import type { Scheduler } from './scheduler-interface.js';
import { checkNumber, readOptions, type SchedulerOptions } from './scheduler-options.js';
import { activeWord, type SchedulerState, type SchedulerStep, schedulerTransition } from './scheduler-state.js';
import type { Session } from './session.js';

/** A scheduler that is not initialized yet. Options that cannot be used throw at once. */
export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const settings = readOptions(options);
  const events = createEventLog(settings.clock);
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
    events.schedulerId = newIdentifier(settings.random);
    try {
      session = await prepareSession(registrations, settings, events, unsettled);
    } catch (error) {
      step('initialization-failed');
      events.tell('SchedulerInitializationFailed', { error });
      throw error;
    }
    if (session.tasks.length > 0) events.tell('PollingStarted');
    step('initialized');
    events.tell('SchedulerInitializationCompleted');
    void session.finished.then(() => step('stopped'));
  }

  async function stop({ deadlineMs }: { readonly deadlineMs?: number } = {}): Promise<void> {
    if (deadlineMs !== undefined) checkNumber('deadlineMs', deadlineMs, 0);
    stopAsked = true;
    // What the initialization throws is told to who asked for it.
    if (initializing !== null) await initializing.catch(() => {});
    step('stop');
    if (state === 'stopping') await session!.stop({ deadlineMs });
  }

  const scheduler: Scheduler = Object.freeze({ initialize, stop });
  attachObservation(scheduler, { clock: settings.clock, events, tasks: () => session?.tasks ?? [] });
  return scheduler;
}

function newIdentifier(random: Random): string {
  return Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
}
