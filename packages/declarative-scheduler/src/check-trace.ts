import { resolveZone } from '@horae/clock-store';
import type { TraceEvent } from './trace-event.js';
import { judgeLifecycle } from './trace-lifecycle.js';
import type { TraceReader } from './trace-state.js';
import { judgeMissed, judgeTaskEvent } from './trace-tasks.js';

/** A rule that a trace breaks, and where. */
export interface Verdict {
  readonly rule: string;
  readonly message: string;
  /** Of the event in the trace. */
  readonly index: number;
}

export interface TraceOptions {
  /** The zone in which the scheduler read cron expressions; the host's by default. */
  readonly zone?: string;
  /** The limit of callbacks at once, if the scheduler had one: waiting for room is no lateness. */
  readonly concurrency?: number;
}

/**
 * Reads the events of a scheduler, over any number of sessions on one store, and lists every rule they break; an empty list means
 * that the run is legal. It needs nothing but the trace: starts, ends, registrations and the clock.
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
    phase: 'inactive',
    storeFailedAt: null,
    blame: (rule, message) => verdicts.push({ rule, message, index }),
  };
  for (const event of trace) {
    judgeLifecycle(reader, event);
    judgeTaskEvent(reader, event);
    index += 1;
  }
  const last = trace.at(-1);
  index = Math.max(0, trace.length - 1);
  if (last !== undefined && reader.phase === 'active') judgeMissed(reader, last);
  return verdicts;
}
