import { nextDue } from '../task/timetable.js';
import type { TraceEvent } from './trace-event.js';
import { judgeMissed } from './trace-lateness.js';
import { register } from './trace-registration.js';
import { judgeExhaustion } from './trace-start.js';
import { instanceOf, momentOf, type TracedInstance, type TracedTask, type TraceReader } from './trace-state.js';

/** Follows every instance from initialize to stop, which one leads, and what that does to the tasks. */
export function judgeLifecycle(reader: TraceReader, event: TraceEvent): void {
  const isBoundary = event.event === 'SchedulerInitializationStarted' || event.event === 'Crash';
  if (event.event === 'Crash') {
    crashed(reader, event);
    return;
  }
  const instance = instanceOf(reader, event);
  if ((instance.phase === 'crashed' || reader.isAfterCrash) && !isBoundary) {
    reader.blame('nothing-after-crash', `${event.event} after a crash and before initialize`);
  }
  steps[event.event]?.(reader, instance, event);
}

type Step = (reader: TraceReader, instance: TracedInstance, event: TraceEvent) => void;

const steps: Partial<Record<TraceEvent['event'], Step>> = {
  SchedulerInitializationStarted: beginInstance,
  SchedulerInitializationCompleted(reader, instance, event) {
    expectPhase(reader, instance, event, ['initializing']);
    instance.phase = 'active';
    if (!instance.hasRoles) lead(reader, instance, event);
    if (reader.leader === instance) restAll(reader, event);
  },
  SchedulerInitializationFailed(reader, instance, event) {
    expectPhase(reader, instance, event, ['initializing']);
    instance.declared = null;
    instance.phase = 'inactive';
  },
  SchedulerRoleChanged(reader, instance, event) {
    expectPhase(reader, instance, event, ['initializing', 'active']);
    if (event.role === 'leader') lead(reader, instance, event);
    else if (reader.leader === instance) unseat(reader, event);
  },
  SchedulerStopRequested(reader, instance, event) {
    expectPhase(reader, instance, event, ['active']);
    if (reader.leader === instance) judgeMissed(reader, event);
    instance.phase = 'stopping';
  },
  PollingStopped: (reader, instance, event) => expectPhase(reader, instance, event, ['active', 'stopping']),
  SchedulerStopped(reader, instance, event) {
    expectPhase(reader, instance, event, ['stopping']);
    if (reader.leader === instance) endLeading(reader, event);
    instance.phase = 'inactive';
  },
  StoreFailed(_, instance, event) {
    instance.storeFailedAt = event.at;
  },
  TaskRecordDiscarded(_, instance, event) {
    if (event.taskName !== undefined) instance.discarded.add(event.taskName);
  },
};

function expectPhase(reader: TraceReader, { phase }: TracedInstance, { event }: TraceEvent, phases: readonly string[]) {
  if (!phases.includes(phase)) reader.blame('lifecycle-order', `${event} while the scheduler is ${phase}`);
}

/** An instance without roles that has not ended has died: it would be leading. */
function beginInstance(reader: TraceReader, instance: TracedInstance, event: TraceEvent): void {
  for (const other of reader.instances.values()) {
    if (!isLive(other) || (other.hasRoles && other !== instance)) continue;
    crash(reader, other, event);
  }
  instance.phase = 'initializing';
  instance.storeFailedAt = null;
  instance.declared = event;
  instance.discarded.clear();
  reader.isAfterCrash = false;
}

function isLive({ phase }: TracedInstance): boolean {
  return phase !== 'inactive' && phase !== 'crashed';
}

/** Takes the lead, also from an instance that has not noticed yet that it lost its lease. */
function lead(reader: TraceReader, instance: TracedInstance, event: TraceEvent): void {
  if (reader.leader !== null && reader.leader !== instance) unseat(reader, event);
  reader.leader = instance;
  reader.running = 0;
  reader.roomAt = Number.NEGATIVE_INFINITY;
  register(reader, instance, event.at);
  restAll(reader, event);
}

function restAll(reader: TraceReader, event: TraceEvent): void {
  for (const task of reader.tasks.values()) task.idleSince = momentOf(event);
}

/** No instance leads any more: the leader's runs are left to the next one. */
function unseat(reader: TraceReader, event: TraceEvent): void {
  const id = reader.leader!.id;
  reader.leader = null;
  for (const task of reader.tasks.values()) {
    // The report may have been cut off with its instance.
    task.owesExhaustion = false;
    if (task.running !== null) leaveBehind(task, id);
    else task.maybeOrphaned ||= couldHaveStarted(task, event.at);
  }
}

function couldHaveStarted({ timetable, handledUntil, retryAt, paused }: TracedTask, at: number): boolean {
  if (paused) return false;
  return (nextDue(timetable, handledUntil) ?? Number.POSITIVE_INFINITY) <= at || (retryAt !== null && retryAt <= at);
}

function crashed(reader: TraceReader, event: TraceEvent): void {
  const { schedulerId } = event;
  const dead = [...reader.instances.values()].filter(({ id }) => schedulerId === undefined || id === schedulerId);
  for (const instance of dead) if (isLive(instance)) crash(reader, instance, event);
  reader.isAfterCrash = ![...reader.instances.values()].some(isLive);
}

function crash(reader: TraceReader, instance: TracedInstance, event: TraceEvent): void {
  const isCutOff = instance.phase === 'initializing' && reader.leader !== instance && !instance.hasRoles;
  if (isCutOff && reader.leader === null) register(reader, instance, instance.declared?.at ?? event.at, true);
  if (reader.leader === instance) unseat(reader, event);
  instance.phase = 'crashed';
}

function endLeading(reader: TraceReader, event: TraceEvent): void {
  const id = reader.leader!.id;
  reader.leader = null;
  for (const task of reader.tasks.values()) {
    judgeExhaustion(reader, task);
    if (task.running === null) continue;
    // A stop with a deadline, or on a store that does not answer, reports that it leaves runs behind.
    if (event.reason === undefined)
      reader.blame('stop-before-quiescence', `the scheduler stops while ${task.name} is running`);
    leaveBehind(task, id);
  }
}

function leaveBehind(task: TracedTask, id: string): void {
  task.running = null;
  task.orphanOf = id;
}
