import { oncePerProcess } from '@horae/clock-store';
import type { Assignment, Outcome } from './assignment.js';

/** A span around something that is asked for. */
export interface TriggerSpan {
  /** Its W3C traceparent. */
  readonly trace: string;
  /** `id` is that of the run or the flow. */
  end(result: { readonly id: number } | { readonly error: unknown }): void;
}

/** A span around a handler. */
export interface HandlerSpan {
  readonly trace: string;
  /** Calls the handler inside the span. */
  within<T>(work: () => T): T;
  end(outcome: Pick<Outcome, 'state' | 'message' | 'error'>): void;
}

/** Follows runs through processes. Who traces is decided by the program; without it nothing of this is called. */
export interface RunTracing {
  trigger(job: { readonly key: string | null; readonly name: string }): TriggerSpan;
  /** The start of a flow, below which the runs of its steps are. */
  flow(flow: { readonly name: string }): TriggerSpan;
  run(assignment: Assignment): HandlerSpan;
}

/** Where the tracing of a node, a client or an executor is put. */
export interface TracingSlot {
  current: RunTracing | null;
}

const slots = oncePerProcess('run-tracing.1', () => new WeakMap<object, TracingSlot>());

/** Lets the runs of a ring, a client or an executor be traced through the slot. */
export function rememberTracing(of: object, slot: TracingSlot): void {
  slots.set(of, slot);
}

/** Undefined for what none of our functions gave. */
export function findTracing(of: object): TracingSlot | undefined {
  return slots.get(of);
}

/** What traces the executors behind HTTP of this process that nobody traces by themselves. */
export const processTracing: TracingSlot = { current: null };

/** The stored form: the traceparent that all attempts have as parent, and that of the run which an attempt is linked to. */
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
