import type { Ring } from '../wheel/ring.js';
import type { AlertOutbox } from './alerts/outbox.js';
import type { BucketLeases } from './claim/bucket-leases.js';
import type { SchedulePass } from './claim/schedule-pass.js';
import type { SecondLoop } from './claim/second-loop.js';
import type { TriggerQueue } from './dispatch/queue.js';
import type { ExecutorRegistry } from './dispatch/registry.js';
import type { SharedEvents } from './events/shared-events.js';
import { type DueRun, type RingRun, unfold } from './node/active-run.js';
import type { OwnedRuns } from './node/owned-runs.js';
import type { RingNode } from './node/ring-node.js';
import type { Recorder } from './record/recorder.js';
import type { RunLogs } from './record/run-logs.js';
import type { RunStarter } from './record/run-starter.js';
import type { HandoverWatch } from './upkeep/handover-watch.js';
import type { Retention } from './upkeep/retention.js';

export interface StopParts {
  readonly node: RingNode;
  readonly loop: SecondLoop;
  readonly pass: Pick<SchedulePass, 'problem'>;
  readonly ring: Ring<RingRun>;
  readonly dueRing: Ring<DueRun>;
  readonly owned: OwnedRuns;
  readonly queue: TriggerQueue;
  readonly recorder: Recorder;
  readonly starter: RunStarter;
  readonly registry: ExecutorRegistry;
  readonly leases: BucketLeases;
  readonly logs: RunLogs;
  readonly retention: Retention;
  readonly handovers: HandoverWatch;
  readonly outbox: AlertOutbox;
  readonly sharedEvents: SharedEvents;
}

/** How a node stops. */
export interface StopOptions {
  readonly deadlineMs: number;
  /** What happens to runs that have not ended at the deadline: another node attempts them again, or they fail. */
  readonly abandon: 'hand-back' | 'fail';
}

/** How long the last writes may take after the deadline, and while the database does not answer properly. */
const LAST_WRITES_MS = 5_000;
const LAST_TRY_MS = 1_000;

/**
 * Ends a node: no more passes; claimed runs that have not fired are handed back; running ones may finish until the deadline, then they are
 * aborted and handed back too; the node removes itself from the database. A lost database does not delay it: other nodes find it dead.
 */
export async function stopNode(parts: StopParts, { deadlineMs, abandon }: StopOptions): Promise<void> {
  const { node, loop, pass, ring, dueRing, owned, queue } = parts;
  node.isStopping = true;
  parts.handovers.stop();
  const over = new AbortController();
  const deadline = node.clock.sleepFor(deadlineMs, { signal: over.signal }).then(
    () => false,
    () => false,
  );
  const inTime = (work: Promise<unknown>) => Promise.race([work.then(() => true), deadline]);
  const hasPassed = await inTime(Promise.all([loop.stop(), parts.retention.stop()]));
  await inTime(tolerate(node, () => parts.registry.unpublish()));
  const unfired = [
    ...ring.drain(Number.MAX_SAFE_INTEGER).stale.flatMap(unfold),
    ...dueRing.drain(Number.MAX_SAFE_INTEGER).stale,
    ...queue.clear(),
  ];
  const isReleased = await inTime(tolerate(node, () => owned.release(unfired.map(({ row }) => row))));
  await inTime(queue.idle());
  await inTime(owned.empty());
  await inTime(tolerate(node, () => parts.outbox.stop()));
  parts.outbox.abandon();
  over.abort();
  const isSilent = !hasPassed || !isReleased || pass.problem !== null;
  await within(node, isSilent ? LAST_TRY_MS : LAST_WRITES_MS, lastWrites(parts, abandon));
  node.log.info({}, 'Node stopped');
}

async function lastWrites(parts: StopParts, abandon: StopOptions['abandon']): Promise<void> {
  const { node, owned, recorder, starter, registry, leases, logs } = parts;
  const message = 'The ring was stopped';
  const left = registry
    .locals()
    .flatMap(({ slots }) => (abandon === 'fail' ? slots.abortAll(message) : slots.releaseAll(message)));
  await tolerate(node, () => owned.release(left.flatMap(({ runId }) => owned.get(runId)?.row ?? [])));
  recorder.abandon();
  starter.abandon();
  await recorder.idle();
  await tolerate(node, () => logs.flush());
  await parts.sharedEvents.stop();
  // Runs that other nodes have handed over to this node meanwhile continue at once, and not when its lease is over.
  owned.markUncertain();
  await tolerate(node, () => owned.reconcile());
  if (node.options.claim === 'buckets') await tolerate(node, () => leases.release());
  await tolerate(node, () => leave(node));
}

/** Waits for `work`, but no longer than `limitMs`. */
async function within({ clock }: RingNode, limitMs: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const limit = clock.sleepFor(limitMs, { signal: over.signal }).catch(() => {});
  await Promise.race([work, limit]);
  over.abort();
}

async function leave(node: RingNode): Promise<void> {
  await node.store.transaction(async (trx) => {
    // Other nodes must find the runs this node still owns: only a node without any is removed at once. Its row is locked before the check,
    // or a handover that commits after the check would assign runs to a missing node.
    await trx.lockNodes([node.owner]);
    if (!(await trx.ownsRuns(node.owner))) await trx.removeNode(node.owner);
  });
}

async function tolerate(node: RingNode, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    node.log.warn({ err: error }, 'Stopping goes on without the database; other nodes take over within a lease');
  }
}
