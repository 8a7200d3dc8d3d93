import { assignmentOf, failure } from '../executor/assignment.js';
import type { Placement } from '../executor/workbench.js';
import type { ActiveRun } from './active-run.js';
import type { ExecutorRegistry } from './executor-registry.js';
import { type Fire, fireOf } from './fire-runs.js';
import type { Recorder } from './recorder.js';
import type { RemoteSender, RunOnTheWay } from './remote-sender.js';
import type { RingNode } from './ring-node.js';

/** A run that has found an executor. It begins there once that is written. */
export interface PlacedRun {
  readonly run: ActiveRun;
  readonly fire: Fire;
  /** Its place in this process; null on a remote executor. */
  readonly placement: Placement | null;
  /** Null in this process. */
  readonly onTheWay: RunOnTheWay | null;
}

/**
 * Finds a run its place among the addresses it was routed to; null when it has none and is over. `done` is called as soon as nobody
 * else has to be waited for.
 */
export type PlaceRun = (run: ActiveRun, targets: readonly string[], done: () => void) => PlacedRun | null;

export function createPlaceRun(
  node: RingNode,
  { registry, recorder, sender }: { registry: ExecutorRegistry; recorder: Recorder; sender: RemoteSender },
): PlaceRun {
  return (run, targets, done) => {
    const [address] = targets;
    if (address === undefined) {
      const { executorGroup } = run.job;
      const remedy = 'start one, or look at its breaker';
      recorder.end(run, failure(`No executor of the group "${executorGroup}" can be reached: ${remedy}`));
      done();
      return null;
    }
    const shardTotal = Math.max(targets.length, run.row.shardTotal);
    const placement = registry.local(address)?.bench.place(assignmentOf(run.job, run.row, shardTotal)) ?? null;
    // A refused first shard still has to spread.
    if (placement?.kind === 'refused' && targets.length === 1) {
      node.counters.fired += 1;
      recorder.end(run, placement.outcome, { address });
      done();
      return null;
    }
    const state = placement === null || placement.kind === 'running' ? 'running' : 'queued';
    const fire = fireOf(run, { address, state, shardTotal }, node.owner, node.time.now());
    const onTheWay = placement === null ? sender.announce(run.row.id, done) : null;
    if (onTheWay === null) done();
    return { run, fire, placement, onTheWay };
  };
}
