import type { EventLog } from '../base/event-log.js';
import type { SchedulerSettings } from '../base/scheduler-options.js';
import { Membership } from '../session/membership.js';
import { checkInitializeOptions } from '../task/initialize-options.js';
import { parseRegistrations } from '../task/parse-registrations.js';
import { type DeclaredTask, tracedRegistration } from '../task/registration.js';

/** Checks what `initialize` was called with, before any I/O, and reports that it began. */
export function declareTasks(
  registrations: unknown,
  options: unknown,
  settings: SchedulerSettings,
  events: EventLog,
): readonly DeclaredTask[] {
  let declared: readonly DeclaredTask[];
  try {
    declared = parseRegistrations(registrations, settings, checkInitializeOptions(options).tasks);
  } catch (error) {
    events.emit('SchedulerInitializationStarted');
    throw error;
  }
  events.emit('SchedulerInitializationStarted', { registrations: declared.map(tracedRegistration) });
  return declared;
}

/** Joins the instances of a namespace; the store is closed again when that fails. */
export async function joinNamespace(
  declared: readonly DeclaredTask[],
  settings: SchedulerSettings,
  events: EventLog,
  unsettled: Map<string, Promise<void>>,
): Promise<Membership> {
  const membership = new Membership(declared, settings, events, unsettled);
  try {
    await membership.join();
    return membership;
  } catch (error) {
    await settings.store.close().catch(() => {});
    throw error;
  }
}
