import type { EpochMs } from '@horae/clock-store';
import { type Calendar, parseCalendar, tryParseCron } from '@horae/cron-grammar';
import type { TracedRegistration } from '../task/registration.js';
import { thrownWords } from '../task/shown-value.js';
import { timetableOf, unitOf } from '../task/timetable.js';
import type { TraceEvent } from './trace-event.js';
import { momentOf, type TracedInstance, type TracedTask, type TraceReader } from './trace-state.js';

/**
 * The declarations of an instance count from `at` on, when it leads. `uncertain` when a crash hides whether they were stored: then no task
 * is dropped, and each task is judged again only after its next start.
 */
export function register(reader: TraceReader, instance: TracedInstance, at: EpochMs, uncertain = false): void {
  const { declared } = instance;
  if (declared?.registrations === undefined) return;
  for (const name of instance.discarded) reader.tasks.delete(name);
  instance.discarded.clear();
  const names = new Set(declared.registrations.map(({ name }) => name));
  for (const [name, task] of [...reader.tasks]) {
    if (names.has(name)) continue;
    if (uncertain) task.uncertain = true;
    else reader.tasks.delete(name);
  }
  for (const registration of declared.registrations) {
    const task = addTask(reader, registration, declared, at);
    if (task !== null && uncertain) task.uncertain = true;
  }
}

/** Adds or changes one task; null when its expression cannot be read. */
export function addTask(
  reader: TraceReader,
  registration: TracedRegistration,
  event: TraceEvent,
  at: EpochMs,
): TracedTask | null {
  const { name, cron, dialect = 'posix', zone = reader.zone, jitterMs = 0 } = registration;
  const parsed = tryParseCron(cron, { dialect });
  if (!parsed.ok) {
    reader.blame('registration', `${name} is registered with "${cron}", which is no cron expression`);
    return null;
  }
  const except = calendarsOf(reader, registration);
  if (except === null) return null;
  const timetable = timetableOf(parsed.value, zone, except);
  const known = reader.tasks.get(name);
  if (known !== undefined) {
    return Object.assign(known, { timetable, plan: registration, jitterMs, preempted: false });
  }
  const task: TracedTask = {
    name,
    timetable,
    plan: registration,
    jitterMs,
    handledUntil: unitOf(timetable, at) - 1,
    running: null,
    idleSince: momentOf(event),
    attempt: 0,
    retryAt: null,
    preempted: false,
    orphanOf: null,
    maybeOrphaned: false,
    // Which minute the store saw is not certain when the minute changed meanwhile.
    uncertain: unitOf(timetable, at) !== unitOf(timetable, event.at) && reader.leader?.hasRoles !== true,
    paused: false,
    owesExhaustion: false,
  };
  reader.tasks.set(name, task);
  return task;
}

/** The calendars of a task. In a trace that has been JSON each of them is its definition. */
function calendarsOf(reader: TraceReader, { name, except = [] }: TracedRegistration): readonly Calendar[] | null {
  try {
    return except.map((calendar) => ('kind' in calendar ? calendar : parseCalendar(calendar)));
  } catch (error) {
    reader.blame('registration', `${name} is registered with a calendar that cannot be read: ${thrownWords(error)}`);
    return null;
  }
}
