import { oncePerProcess } from '@horae/clock-store';
import type { Assignment, Outcome } from './assignment.js';

/** A span around a trigger or the start of a flow. */
export interface TriggerSpan {
  /** Its W3C traceparent. */
  readonly trace: string;
  /** Ends the span; `id` is the id of the run or the flow. */
  end(result: { readonly id: number } | { readonly error: unknown }): void;
}

/** A span around a handler. */
export interface HandlerSpan {
  readonly trace: string;
  /** Calls the handler inside the span. */
  within<T>(work: () => T): T;
  end(outcome: Pick<Outcome, 'state' | 'message' | 'error'>): void;
}

/** Follows runs across processes. The program decides whether to trace; if it does not, none of this is called. */
export interface RunTracing {
  trigger(job: { readonly key: string | null; readonly name: string }): TriggerSpan;
  /** A span for the start of a flow, the parent of the runs of its steps. */
  flow(flow: { readonly name: string }): TriggerSpan;
  run(assignment: Assignment): HandlerSpan;
}

/** Holds the tracing of a node, a client or an executor. */
export interface TracingSlot {
  current: RunTracing | null;
}

const slots = oncePerProcess('run-tracing.1', () => new WeakMap<object, TracingSlot>());

/** Registers the slot through which the runs of a ring, a client or an executor are traced. */
export function rememberTracing(of: object, slot: TracingSlot): void {
  slots.set(of, slot);
}

/** Undefined for an object that was not registered. */
export function findTracing(of: object): TracingSlot | undefined {
  return slots.get(of);
}

/** Traces the HTTP executors of this process that have no tracing of their own. */
export const processTracing: TracingSlot = { current: null };

/** The stored form: the traceparent that is the parent of all attempts, and that of the run which an attempt is linked to. */
export function traceText(parent: string | null, link: string | null): string | null {
  return parent === null && link === null ? null : `${parent ?? '-'} ${link ?? '-'}`;
}

export function readTrace(text: string | null | undefined): {
  readonly parent: string | null;
  readonly link: string | null;
} {
  const [parent = '-', link = '-'] = (text ?? '').split(' ');
  return { parent: known(parent), link: known(link) };
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function known(part: string): string | null {
  return TRACEPARENT.test(part) ? part : null;
}
