import { oncePerProcess } from '@horae/clock-store';
import type { EventLog } from '../base/event-log.js';
import type { SchedulerSettings } from '../base/scheduler-options.js';
import type { Membership } from '../session/membership.js';
import { SchedulerOptionError } from '../task/option-error.js';
import type { Scheduler } from './scheduler-interface.js';

/** The internals of a scheduler that `observe` and `control` use. */
export interface Inside {
  readonly settings: SchedulerSettings;
  readonly events: EventLog;
  /** The membership of the latest `initialize` that succeeded. */
  membership(): Membership | null;
}

const insides = oncePerProcess('scheduler-insides.1', () => new WeakMap<Scheduler, Inside>());

/** Lets `observe` and `control` see into a scheduler. */
export function attachInside(scheduler: Scheduler, inside: Inside): void {
  insides.set(scheduler, inside);
}

/** The inside of a scheduler that `createScheduler` made; `asker` is the function that needs it. */
export function insideOf(scheduler: Scheduler, asker: string): Inside {
  const inside = insides.get(scheduler);
  if (inside !== undefined) return inside;
  throw new SchedulerOptionError(`${asker} needs a scheduler that createScheduler made`, {
    option: 'scheduler',
    value: scheduler,
  });
}
