import type { Job } from '../../model/job.js';
import { publicRun, type RunRow } from '../../model/run.js';
import type { RunEnd } from '../../store/job-store.js';
import type { RingNode } from './ring-node.js';
import { logStart } from './run-log.js';

/** Tells that a run has begun. What nobody listens to is not put together: there may be thousands a second. */
export function reportStart({ emitter, log }: RingNode, row: RunRow, job: Job | null | undefined): void {
  logStart(log, row, job);
  if (emitter.listenerCount('run-started') > 0) emitter.emit('run-started', { run: publicRun(row) });
}

/** Tells that a run is over, and counts it. A skipped one never was a run to anybody. */
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
