import type { Random } from '@horae/clock-store';
import { createEventLog } from './base/event-log.js';
import { SchedulerAlreadyActiveError } from './base/scheduler-errors.js';
import { readOptions, type SchedulerOptions } from './base/scheduler-options.js';
import { attachInside } from './scheduler/inside.js';
import { declareTasks, joinNamespace } from './scheduler/join.js';
import type { Scheduler } from './scheduler/scheduler-interface.js';
import {
  activeWord,
  type SchedulerState,
  type SchedulerStep,
  schedulerTransition,
} from './scheduler/scheduler-state.js';
import type { Membership } from './session/membership.js';
import { checkNumber } from './task/option-error.js';
import type { Registration } from './task/registration.js';

/** A scheduler that is not initialized yet. Options that cannot be used throw at once. */
export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const settings = readOptions(options);
  const events = createEventLog(settings.clock, settings.log);
  const unsettled = new Map<string, Promise<void>>();
  let state: SchedulerState = 'uninitialized';
  let membership: Membership | null = null;
  let initializing: Promise<void> | null = null;
  let stopAsked = false;

  function step(taken: SchedulerStep): boolean {
    const next = schedulerTransition(state, taken);
    if (next === null) return false;
    state = next;
    return true;
  }

  async function initialize(registrations: readonly Registration[], options?: unknown): Promise<void> {
    if (!step('initialize')) throw new SchedulerAlreadyActiveError(activeWord(state));
    stopAsked = false;
    initializing = prepare(registrations, options);
    try {
      await initializing;
    } finally {
      initializing = null;
    }
    if (!stopAsked) await membership!.begin();
  }

  async function prepare(registrations: unknown, options: unknown): Promise<void> {
    events.schedulerId = newIdentifier(settings.random);
    try {
      const declared = declareTasks(registrations, options, settings, events);
      membership = await joinNamespace(declared, settings, events, unsettled);
    } catch (error) {
      step('initialization-failed');
      events.emit('SchedulerInitializationFailed', { error });
      throw error;
    }
    step('initialized');
    events.emit('SchedulerInitializationCompleted');
    void membership.finished.then(() => step('stopped'));
  }

  async function stop({ deadlineMs }: { readonly deadlineMs?: number } = {}): Promise<void> {
    if (deadlineMs !== undefined) checkNumber('deadlineMs', deadlineMs, 0);
    stopAsked = true;
    // A failed initialization rejects to its own caller.
    if (initializing !== null) await initializing.catch(() => {});
    step('stop');
    if (state === 'stopping') await membership!.stop(deadlineMs);
  }

  const scheduler: Scheduler = Object.freeze({ initialize, stop });
  attachInside(scheduler, { settings, events, membership: () => membership });
  return scheduler;
}

function newIdentifier(random: Random): string {
  return Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
}
