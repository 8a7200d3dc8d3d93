import { createRequire } from 'node:module';
import type { Context, Link, Span, SpanContext, Tracer } from '@opentelemetry/api';
import { badOption, TimeRingError } from './model/errors.js';
import type { Executor, RingClient, TimeRing } from './model/interface.js';
import type { Assignment } from './workbench/assignment.js';
import { findTracing, processTracing, type RunTracing, readTrace, type TriggerSpan } from './workbench/run-tracing.js';

/**
 * Traces runs: a producer span `trigger <job>` where a run is triggered, or `flow <name>` where a flow is started, and a consumer span
 * `run <job>` around its handler, in whichever process that runs. The row of the run carries the trace. In another process, call this with
 * its remote executor or client. Returns the function that ends the tracing.
 */
export function traceRuns(ring: TimeRing | RingClient | Executor, tracer: Tracer): () => void {
  const slot = findTracing(ring);
  if (slot === undefined) {
    throw badOption('ring', ring, 'what startTimeRing, connectTimeRing or createExecutor with URLs gave');
  }
  const tracing = createRunTracing(loadApi(), tracer);
  const owned = [slot, processTracing];
  for (const each of owned) each.current = tracing;
  return () => {
    for (const each of owned) if (each.current === tracing) each.current = null;
  };
}

type Api = typeof import('@opentelemetry/api');

/** Loaded only when tracing is on: metrics need no more of it than its types. */
function loadApi(): Api {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as Api;
  } catch (cause) {
    const message = 'traceRuns needs the OpenTelemetry API: npm install @opentelemetry/api';
    throw new TimeRingError('bad-option', message, { field: 'tracer' }, { cause });
  }
}

function createRunTracing(api: Api, tracer: Tracer): RunTracing {
  const { context, SpanKind, trace } = api;
  return {
    trigger({ key, name }) {
      const job = key ?? name;
      const attributes = { ...messaging(job, 'send'), 'horae.attempt': 1 };
      const span = tracer.startSpan(`trigger ${job}`, { kind: SpanKind.PRODUCER, attributes });
      return asking(api, span, (id) => span.setAttribute('messaging.message.id', String(id)));
    },
    flow({ name }) {
      const attributes = { 'messaging.system': 'horae', 'horae.flow.name': name };
      const span = tracer.startSpan(`flow ${name}`, { kind: SpanKind.PRODUCER, attributes });
      return asking(api, span, (id) => span.setAttribute('horae.flow.id', id));
    },
    run(assignment) {
      const span = startConsumer(api, tracer, assignment);
      const inside = trace.setSpan(context.active(), span);
      return {
        trace: traceparent(span.spanContext()),
        within: (work) => context.with(inside, work),
        end({ state, message, error }) {
          if (state !== 'succeeded') fail(api, span, error ?? { name: state, message: message ?? state });
          span.end();
        },
      };
    },
  };
}

/** A span that ends when the run or the flow is written. */
function asking(api: Api, span: Span, written: (id: number) => void): TriggerSpan {
  return {
    trace: traceparent(span.spanContext()),
    end(result) {
      if ('id' in result) written(result.id);
      else fail(api, span, asError(result.error));
      span.end();
    },
  };
}

function startConsumer(api: Api, tracer: Tracer, assignment: Assignment): Span {
  const { jobKey, jobName, jobId, runId, attempt } = assignment;
  const job = jobKey ?? (jobName === '' ? String(jobId) : jobName);
  const { parent, link } = readTrace(assignment.trace);
  const linked = link === null ? null : spanContext(link);
  const links: Link[] = linked === null ? [] : [{ context: linked }];
  const attributes = {
    ...messaging(job, 'process'),
    'messaging.message.id': String(runId),
    'horae.attempt': attempt,
  };
  return tracer.startSpan(`run ${job}`, { kind: api.SpanKind.CONSUMER, attributes, links }, parentContext(api, parent));
}

function parentContext({ ROOT_CONTEXT, trace }: Api, parent: string | null): Context {
  const known = parent === null ? null : spanContext(parent);
  return known === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, known);
}

function messaging(job: string, type: 'send' | 'process') {
  return {
    'messaging.system': 'horae',
    'messaging.destination.name': job,
    'messaging.operation.type': type,
  };
}

function fail({ SpanStatusCode }: Api, span: Span, error: { name: string; message: string; stack?: string }): void {
  span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** W3C Trace Context, version 00. */
function traceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function spanContext(text: string): SpanContext | null {
  const [, traceId, spanId, flags] = text.split('-');
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '00', 16), isRemote: true };
}
