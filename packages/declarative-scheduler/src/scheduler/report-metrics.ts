import type { Meter, ObservableResult } from '@opentelemetry/api';
import { observe } from './observe.js';
import { listenToRuns } from './run-listener.js';
import type { Scheduler } from './scheduler-interface.js';

/**
 * Reports the runs of a scheduler to an OpenTelemetry meter from now on; returns the remover. Counters `horae.tasks.started`
 * (retries too), `.completed`, `.failed` and `.retried`, the gauge `horae.tasks.running`, and the histogram `horae.tasks.duration` in
 * milliseconds; all but the gauge carry the attribute `task`.
 */
export function reportMetrics(scheduler: Scheduler, meter: Meter): () => void {
  const started = meter.createCounter('horae.tasks.started', { description: 'Runs that started, retries included' });
  const completed = meter.createCounter('horae.tasks.completed', { description: 'Runs that succeeded' });
  const failed = meter.createCounter('horae.tasks.failed', { description: 'Runs that failed' });
  const retried = meter.createCounter('horae.tasks.retried', { description: 'Retries that started' });
  const duration = meter.createHistogram('horae.tasks.duration', {
    description: 'From the start of a run to its recorded end',
    unit: 'ms',
  });
  const running = meter.createObservableGauge('horae.tasks.running', { description: 'Callbacks running now' });
  const watch = observe(scheduler);
  const readRunning = (result: ObservableResult) => result.observe(watch.health().running);
  running.addCallback(readRunning);
  const stopListening = listenToRuns(scheduler, {
    started({ taskName: task, event }) {
      started.add(1, { task });
      if (event === 'TaskRetryStarted') retried.add(1, { task });
    },
    ended({ taskName: task, monotonicMs: from }, end) {
      if (end === null) return;
      (end.event === 'TaskRunCompleted' ? completed : failed).add(1, { task });
      if (from !== undefined && end.monotonicMs !== undefined) duration.record(end.monotonicMs - from, { task });
    },
  });
  return () => {
    running.removeCallback(readRunning);
    stopListening();
  };
}
