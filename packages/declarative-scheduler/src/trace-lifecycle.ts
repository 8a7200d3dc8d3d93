import { tryParseCron } from '@horae/cron-grammar';
import { minuteOf } from './decide-run.js';
import type { TraceEvent } from './trace-event.js';
import type { TracedTask, TraceReader } from './trace-state.js';
import { judgeMissed } from './trace-tasks.js';

/** Follows the scheduler from initialize to stop, and what that does to the tasks. */
export function judgeLifecycle(reader: TraceReader, event: TraceEvent): void {
  const isBoundary = event.event === 'SchedulerInitializationStarted' || event.event === 'Crash';
  if (reader.phase === 'crashed' && !isBoundary) {
    reader.blame('nothing-after-crash', `${event.event} after a crash and before initialize`);
  }
  switch (event.event) {
    case 'SchedulerInitializationStarted':
      beginSession(reader, event);
      return;
    case 'Crash':
      crash(reader);
      return;
    case 'SchedulerInitializationCompleted':
      expectPhase(reader, event, ['initializing']);
      reader.phase = 'active';
      for (const task of reader.tasks.values()) task.idleSince = momentOf(event);
      return;
    case 'SchedulerInitializationFailed':
      expectPhase(reader, event, ['initializing']);
      reader.phase = 'inactive';
      return;
    case 'SchedulerStopRequested':
      expectPhase(reader, event, ['active']);
      judgeMissed(reader, event);
      reader.phase = 'stopping';
      return;
    case 'PollingStopped':
      expectPhase(reader, event, ['stopping']);
      return;
    case 'SchedulerStopped':
      expectPhase(reader, event, ['stopping']);
      endSession(reader, event);
      return;
    case 'StoreFailed':
      reader.storeFailedAt = event.at;
      return;
    case 'TaskRecordDiscarded':
      if (event.taskName !== undefined) reader.tasks.delete(event.taskName);
      return;
    default:
  }
}

export function momentOf(event: TraceEvent) {
  return { at: event.at, monotonicMs: event.monotonicMs };
}

function expectPhase(reader: TraceReader, { event }: TraceEvent, phases: readonly string[]): void {
  if (!phases.includes(reader.phase))
    reader.blame('lifecycle-order', `${event} while the scheduler is ${reader.phase}`);
}

/** A session without the end of the one before it means that the process died in between. */
function beginSession(reader: TraceReader, event: TraceEvent): void {
  if (reader.phase !== 'inactive' && reader.phase !== 'crashed') crash(reader);
  reader.phase = 'initializing';
  reader.running = 0;
  reader.roomAt = Number.NEGATIVE_INFINITY;
  reader.storeFailedAt = null;
  if (event.registrations === undefined) return;
  const names = new Set(event.registrations.map(({ name }) => name));
  for (const name of [...reader.tasks.keys()]) if (!names.has(name)) reader.tasks.delete(name);
  for (const { name, cron, retryDelayMs } of event.registrations) {
    const parsed = tryParseCron(cron);
    if (!parsed.ok) {
      reader.blame('registration', `${name} is registered with "${cron}", which is no cron expression`);
      continue;
    }
    const known = reader.tasks.get(name);
    if (known !== undefined) {
      Object.assign(known, { expression: parsed.value, retryDelayMs, firstSeen: false, preempted: false });
      continue;
    }
    reader.tasks.set(name, {
      name,
      expression: parsed.value,
      retryDelayMs,
      handledUntil: minuteOf(event.at) - 1,
      firstSeen: true,
      running: null,
      idleSince: momentOf(event),
      retryAt: null,
      preempted: false,
      orphaned: false,
    } satisfies TracedTask);
  }
}

function crash(reader: TraceReader): void {
  for (const task of reader.tasks.values()) leaveBehind(task);
  reader.phase = 'crashed';
}

function endSession(reader: TraceReader, event: TraceEvent): void {
  for (const task of reader.tasks.values()) {
    if (task.running === null) continue;
    // A stop with a deadline, or on a store that does not answer, says that it leaves runs behind.
    if (event.reason === undefined)
      reader.blame('stop-before-quiescence', `the scheduler stops while ${task.name} is running`);
    leaveBehind(task);
  }
  reader.phase = 'inactive';
}

function leaveBehind(task: TracedTask): void {
  if (task.running === null) return;
  task.running = null;
  task.orphaned = true;
}
