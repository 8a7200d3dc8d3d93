import type { WaitingReason } from '../../model/run.js';
import type { Candidate } from '../../routing/candidates.js';
import type { RunDispatch } from '../../store/job-store.js';
import { assignmentOf } from '../../workbench/assignment.js';
import type { Placement } from '../../workbench/run-slots.js';
import type { ActiveRun } from '../node/active-run.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';
import type { ExecutorRegistry } from './registry.js';
import type { Route } from './router.js';
import type { RemoteSender, RunOnTheWay } from './sender.js';

/** A run with an executor. It starts there once that is written. */
export interface PlacedRun {
  readonly kind: 'placed';
  readonly run: ActiveRun;
  readonly fire: RunDispatch;
  /** Its slot in this process; null on a remote executor. */
  readonly placement: Exclude<Placement, { kind: 'refused' }> | null;
  /** Null in this process. */
  readonly onTheWay: RunOnTheWay | null;
}

/** The decision to write about a triggered run. */
export type Dispatch =
  | PlacedRun
  | { readonly kind: 'parked'; readonly run: ActiveRun; readonly reason: WaitingReason }
  | { readonly kind: 'handed-over'; readonly run: ActiveRun; readonly to: Candidate }
  /** A broadcast becomes one run per executor, each of which is dispatched separately. */
  | { readonly kind: 'spread'; readonly run: ActiveRun; readonly shardTotal: number };

/** Decides what happens to a routed run; null when it is over. `done` is called as soon as no remote answer is awaited. */
export type PlaceRun = (run: ActiveRun, route: Route, done: () => void) => Dispatch | null;

export function createPlaceRun(
  node: RingNode,
  { registry, recorder, sender }: { registry: ExecutorRegistry; recorder: Recorder; sender: RemoteSender },
): PlaceRun {
  function fireOf({ row }: ActiveRun, address: string, state: 'queued' | 'running'): RunDispatch {
    const firedAt = node.time.now();
    const startedAt = state === 'running' ? firedAt : null;
    const { id, fence, shardTotal } = row;
    return { id, owner: row.owner!, fence, state, address, shardTotal, firedAt, startedAt };
  }

  function placeHere(run: ActiveRun, address: string, done: () => void): Dispatch | null {
    done();
    const slots = registry.local(address)?.slots;
    if (slots === undefined) return { kind: 'parked', run, reason: 'executor' };
    const placement = slots.place(assignmentOf(run.job, run.row));
    if (placement.kind !== 'refused') {
      return { kind: 'placed', run, fire: fireOf(run, address, placement.kind), placement, onTheWay: null };
    }
    if (placement.why !== 'discarded') return { kind: 'parked', run, reason: placement.why };
    node.counters.fired += 1;
    recorder.end(run, placement.outcome, address);
    return null;
  }

  return (run, route, done) => {
    if (route.kind === 'wait') {
      done();
      return { kind: 'parked', run, reason: route.reason };
    }
    const [target] = route.targets as [Candidate];
    if (target.place === 'own' && route.targets.length === 1) return placeHere(run, target.address, done);
    if (target.place === 'remote' && route.targets.length === 1) {
      const onTheWay = sender.announce(run.row.id, done);
      return { kind: 'placed', run, fire: fireOf(run, target.address, 'running'), placement: null, onTheWay };
    }
    done();
    if (route.targets.length > 1) return { kind: 'spread', run, shardTotal: route.targets.length };
    return { kind: 'handed-over', run, to: target };
  };
}
