import { publicRun, type RunRow } from '../run.js';
import type { RunEnd } from '../store/job-store.js';
import type { RingNode } from './ring-node.js';

/** Tells that a run has begun. What nobody listens to is not put together: there may be thousands a second. */
export function tellStart({ emitter }: RingNode, row: RunRow): void {
  if (emitter.listenerCount('run-started') > 0) emitter.emit('run-started', { run: publicRun(row) });
}

/** Tells that a run is over, and counts it. A skipped one never was a run to anybody. */
export function tellEnd({ emitter, counters }: RingNode, row: RunRow, end: RunEnd): void {
  if (end.state === 'skipped') return;
  counters[end.state] += 1;
  if (emitter.listenerCount(`run-${end.state}`) === 0) return;
  const run = publicRun(row);
  run.state = end.state;
  run.code = end.code;
  run.message = end.message;
  run.endedAt = end.endedAt;
  run.firedAt = end.firedAt ?? row.firedAt;
  run.address = end.address ?? row.address;
  emitter.emit(`run-${end.state}`, { run });
}
