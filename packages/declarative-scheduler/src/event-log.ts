import { type Clock, createEmitter } from '@horae/clock-store';
import type { EventFacts, EventName, TraceEvent } from './trace-event.js';

type EventMap = { [Name in EventName]: TraceEvent };

/** The newest events are kept up to this many; older ones are forgotten. */
export const MOST_TRACE_EVENTS = 100_000;

/** Tells listeners what happens, and remembers it. */
export interface EventLog {
  tell(event: EventName, facts?: EventFacts): void;
  on(name: EventName, listener: (event: TraceEvent) => void): () => void;
  trace(): TraceEvent[];
  /** The identifier that the following events carry. */
  schedulerId: string;
}

export function createEventLog(clock: Clock): EventLog {
  const emitter = createEmitter<EventMap>();
  // A ring: the oldest kept event stands at `oldest` once the array is full.
  const kept: TraceEvent[] = [];
  let oldest = 0;
  const log: EventLog = {
    schedulerId: '',
    tell(event, facts) {
      const told: TraceEvent = Object.freeze({
        event,
        at: clock.now(),
        monotonicMs: clock.monotonicMs(),
        schedulerId: log.schedulerId,
        ...facts,
      });
      if (kept.length < MOST_TRACE_EVENTS) kept.push(told);
      else {
        kept[oldest] = told;
        oldest = (oldest + 1) % MOST_TRACE_EVENTS;
      }
      emitter.emit(event, told);
    },
    on: (name, listener) => emitter.on(name, listener),
    trace: () => [...kept.slice(oldest), ...kept.slice(0, oldest)],
  };
  return log;
}
