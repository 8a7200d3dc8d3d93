import type { Job } from '../../model/job.js';
import { publicRun, type RunRow } from '../../model/run.js';
import type { RunEnd } from '../../store/job-store.js';
import type { RingNode } from './ring-node.js';
import { logStart } from './run-log.js';

/** Reports the start of a run. An event without a listener is not built: there may be thousands per second. */
export function reportStart({ emitter, log }: RingNode, row: RunRow, job: Job | null | undefined): void {
  logStart(log, row, job);
  if (emitter.listenerCount('run-started') > 0) emitter.emit('run-started', { run: publicRun(row) });
}

/** Reports the end of a run, and counts it. Skipped runs are not reported. */
export function reportEnd({ emitter, counters }: RingNode, row: RunRow, end: RunEnd): void {
  if (end.state === 'skipped') return;
  counters[end.state] += 1;
  if (emitter.listenerCount(`run-${end.state}`) === 0) return;
  const run = publicRun(row);
  run.state = end.state;
  run.code = end.code;
  run.message = end.message;
  run.result = end.result ?? null;
  run.error = end.error ?? null;
  run.progress = end.progress ?? row.progress;
  run.endedAt = end.endedAt;
  run.firedAt = end.firedAt ?? row.firedAt;
  run.address = end.address ?? row.address;
  emitter.emit(`run-${end.state}`, { run });
}
