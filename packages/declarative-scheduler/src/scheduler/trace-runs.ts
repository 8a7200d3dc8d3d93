import type { Span, SpanStatusCode, Tracer } from '@opentelemetry/api';
import { thrownWords } from '../task/shown-value.js';
import { listenToRuns } from './run-listener.js';
import type { Scheduler } from './scheduler-interface.js';

// The API is an optional peer: only its types are imported.
const ERROR = 2 as SpanStatusCode.ERROR;

/**
 * Makes a span `horae.task.run` for every run that starts from now on; returns the remover. A failed run ends its span with status
 * error and its exception; one that was left to another instance ends it without a status.
 */
export function traceRuns(scheduler: Scheduler, tracer: Tracer): () => void {
  const spans = new Map<object, Span>();
  return listenToRuns(scheduler, {
    started(run) {
      const attributes = {
        'horae.task.name': run.taskName,
        ...(run.reason === undefined ? {} : { 'horae.task.reason': run.reason }),
        ...(run.attempt === undefined ? {} : { 'horae.task.attempt': run.attempt }),
      };
      spans.set(run, tracer.startSpan('horae.task.run', { attributes }));
    },
    ended(run, end) {
      const span = spans.get(run);
      spans.delete(run);
      if (end?.event === 'TaskRunFailed') {
        const error = end.error instanceof Error ? end.error : new Error(thrownWords(end.error));
        span?.recordException(error);
        span?.setStatus({ code: ERROR, message: error.message });
      }
      span?.end();
    },
  });
}
