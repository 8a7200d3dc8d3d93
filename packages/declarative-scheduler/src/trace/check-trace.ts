import { resolveZone } from '@horae/clock-store';
import type { TraceEvent } from './trace-event.js';
import { judgeMissed } from './trace-lateness.js';
import { judgeLifecycle } from './trace-lifecycle.js';
import { judgeExhaustion } from './trace-start.js';
import type { TraceReader } from './trace-state.js';
import { judgeTaskEvent } from './trace-tasks.js';

/** A rule that a trace breaks, and where. */
export interface Verdict {
  readonly rule: string;
  readonly message: string;
  /** The index of the event in the trace. */
  readonly index: number;
}

/** Options of the traced scheduler that its trace does not contain. */
export interface TraceOptions {
  /** The zone in which the scheduler read cron expressions; the host's by default. */
  readonly zone?: string;
  /** The limit of callbacks at once, if the scheduler had one: waiting for room is no lateness. */
  readonly concurrency?: number;
}

/**
 * Reads the events of one store, over any number of sessions and instances, and lists every rule they break; an empty list means that the
 * run is legal. Join the traces of several instances in the order of time first. It needs nothing but the trace: starts, ends, roles,
 * registrations and the clock.
 */
export function checkTrace(trace: readonly TraceEvent[], options: TraceOptions = {}): Verdict[] {
  const verdicts: Verdict[] = [];
  let index = 0;
  const reader: TraceReader = {
    zone: resolveZone(options.zone),
    concurrency: options.concurrency ?? Number.POSITIVE_INFINITY,
    running: 0,
    roomAt: Number.NEGATIVE_INFINITY,
    tasks: new Map(),
    instances: new Map(),
    withRoles: new Set(
      trace.filter(({ event }) => event === 'SchedulerRoleChanged').map(({ schedulerId }) => schedulerId ?? ''),
    ),
    leader: null,
    isAfterCrash: false,
    blame: (rule, message) => verdicts.push({ rule, message, index }),
  };
  for (const event of trace) {
    judgeLifecycle(reader, event);
    judgeTaskEvent(reader, event);
    index += 1;
  }
  const last = trace.at(-1);
  index = Math.max(0, trace.length - 1);
  if (last !== undefined && reader.leader?.phase === 'active') judgeMissed(reader, last);
  if (reader.leader !== null) for (const task of reader.tasks.values()) judgeExhaustion(reader, task);
  return verdicts;
}
