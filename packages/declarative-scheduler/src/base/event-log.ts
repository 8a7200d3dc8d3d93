import { type Clock, createEmitter } from '@horae/clock-store';
import type { EventFacts, EventName, TraceEvent } from '../trace/trace-event.js';
import { eventWords } from './event-words.js';
import { type Logger, silentLogger } from './logger.js';

type EventMap = { [Name in EventName]: TraceEvent };

/** The newest events are kept up to this many; older ones are dropped. */
export const MAX_TRACE_EVENTS = 100_000;

/** Reports events to listeners and to the log, and keeps them as the trace. */
export interface EventLog {
  emit(event: EventName, facts?: EventFacts): void;
  /** Reports events of one moment: a listener of the first finds all of them in the trace. */
  emitTogether(events: readonly (readonly [event: EventName, facts?: EventFacts])[]): void;
  /** Reports an event that is not part of the trace. */
  announce(event: EventName, facts?: EventFacts): void;
  on(name: EventName, listener: (event: TraceEvent) => void): () => void;
  trace(): TraceEvent[];
  /** The identifier that the following events carry. */
  schedulerId: string;
}

export function createEventLog(clock: Clock, log: Logger): EventLog {
  const emitter = createEmitter<EventMap>();
  // A ring: the oldest kept event stands at `oldest` once the array is full.
  const kept: TraceEvent[] = [];
  let oldest = 0;

  function report(event: EventName, facts: EventFacts | undefined): TraceEvent {
    const reported: TraceEvent = Object.freeze({
      event,
      at: clock.now(),
      monotonicMs: clock.monotonicMs(),
      schedulerId: events.schedulerId,
      ...facts,
    });
    if (log !== silentLogger) writeLine(log, reported, event);
    return reported;
  }

  function keep(reported: TraceEvent): TraceEvent {
    if (kept.length < MAX_TRACE_EVENTS) kept.push(reported);
    else {
      kept[oldest] = reported;
      oldest = (oldest + 1) % MAX_TRACE_EVENTS;
    }
    return reported;
  }

  const events: EventLog = {
    schedulerId: '',
    emit(event, facts) {
      emitter.emit(event, keep(report(event, facts)));
    },
    emitTogether(all) {
      const reported = all.map(([event, facts]) => [event, keep(report(event, facts))] as const);
      for (const [event, facts] of reported) emitter.emit(event, facts);
    },
    announce: (event, facts) => emitter.emit(event, report(event, facts)),
    on: (name, listener) => emitter.on(name, listener),
    trace: () => [...kept.slice(oldest), ...kept.slice(0, oldest)],
  };
  return events;
}

function writeLine(log: Logger, { error, registrations, ...facts }: TraceEvent, event: EventName): void {
  const { at: _, monotonicMs: __, ...said } = facts;
  const [level, sentence] = eventWords[event];
  log[level](
    {
      ...said,
      ...(error === undefined ? {} : { err: error }),
      ...(registrations === undefined ? {} : { tasks: registrations.length }),
    },
    sentence,
  );
}
