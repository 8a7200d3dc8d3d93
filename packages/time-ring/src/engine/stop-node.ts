import type { Ring } from '../decide/ring.js';
import { type RingRun, unfold } from './active-run.js';
import type { BucketLeases } from './bucket-leases.js';
import type { ExecutorRegistry } from './executor-registry.js';
import type { KnownRuns } from './known-runs.js';
import type { Recorder } from './recorder.js';
import type { RingNode } from './ring-node.js';
import type { RunLogs } from './run-logs.js';
import type { RunStarter } from './run-starter.js';
import type { SecondLoop } from './second-loop.js';
import type { TriggerQueue } from './trigger-queue.js';

export interface StopParts {
  readonly node: RingNode;
  readonly loop: SecondLoop;
  readonly ring: Ring<RingRun>;
  readonly known: KnownRuns;
  readonly queue: TriggerQueue;
  readonly recorder: Recorder;
  readonly starter: RunStarter;
  readonly registry: ExecutorRegistry;
  readonly leases: BucketLeases;
  readonly logs: RunLogs;
  handOut(runIds: readonly number[]): Promise<void>;
  readonly deadlineMs: number;
}

/** How long the results of aborted runs may take to be written. */
const LAST_WRITES_MS = 5_000;

/**
 * Ends a node: no more passes; what is claimed and not fired is handed back; what runs may finish until the deadline and is aborted
 * then; the node leaves the database as if it had never been there. A lost database does not keep it: others find it dead.
 */
export async function stopNode(parts: StopParts): Promise<void> {
  const { node, loop, ring, known, queue, recorder, starter, registry, leases, handOut, deadlineMs } = parts;
  node.isStopping = true;
  const over = new AbortController();
  const deadline = node.clock.sleepFor(deadlineMs, { signal: over.signal }).catch(() => {});
  const bounded = (work: Promise<void>) => Promise.race([work, deadline]);
  await bounded(loop.stop());
  const unfired = [...ring.drain(Number.MAX_SAFE_INTEGER).stale.flatMap(unfold), ...queue.clear()];
  await tolerate(node, () => handOut(unfired.map(({ row }) => row.id)));
  await bounded(queue.idle());
  await bounded(known.empty());
  over.abort();
  const waiting = registry.locals().flatMap(({ bench }) => bench.abortAll('The ring was stopped'));
  await tolerate(node, () => handOut(waiting.map(({ runId }) => runId)));
  recorder.abandon();
  starter.abandon();
  await Promise.race([recorder.idle(), node.clock.sleepFor(LAST_WRITES_MS)]);
  await tolerate(node, () => parts.logs.flush());
  if (node.options.claim === 'buckets') await tolerate(node, () => leases.release());
  await tolerate(node, () => leave(node));
}

async function leave(node: RingNode): Promise<void> {
  await node.store.transaction(async (trx) => {
    // Runs that are still this node's must be found by others: only a node without any is gone at once.
    if (!(await trx.ownsRuns(node.owner))) await trx.removeNode(node.owner);
  });
}

async function tolerate(node: RingNode, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    node.log.warn({ error }, 'Stopping goes on without the database; other nodes take over within a lease');
  }
}
