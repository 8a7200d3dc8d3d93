import type { RouteStrategy } from '../../model/job.js';
import type { ActiveRun } from '../node/active-run.js';
import { type JoinedRuns, type JoinRuns, noneJoined } from '../node/joined-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { cancel, type DispatcherParts, follow } from './dispatcher.js';
import type { PlacedRun } from './place-run.js';
import { type Written, writeDispatches } from './write-dispatch.js';

/** These strategies choose the same way when they choose again: a run that is not joined is routed again. */
const STEADY_ROUTES: ReadonlySet<RouteStrategy> = new Set(['FIRST', 'LAST', 'CONSISTENT_HASH', 'RANDOM']);

/**
 * Lets an executor of this node take the follow-up of a result at once, which saves a step of a flow its own transaction. Runs that are
 * not joined are dispatched like all others.
 */
export function createJoinRuns(parts: DispatcherParts): JoinRuns {
  const { node, owned, waiting, route, place } = parts;

  function placed(run: ActiveRun): PlacedRun | null {
    if (!mayJoin(node, run) || waiting.reasonFor(run) !== undefined) return null;
    const chosen = route(run);
    if (chosen instanceof Promise) {
      // The route is chosen again on the usual way, where a failure counts.
      chosen.catch(() => {});
      return null;
    }
    if (chosen.kind === 'wait' || chosen.targets.length !== 1 || chosen.targets[0]!.place !== 'own') return null;
    const found = place(run, chosen, () => {});
    return found?.kind === 'placed' ? found : null;
  }

  return async (trx, runs) => {
    const decided = runs.flatMap((run) => placed(run) ?? []);
    if (decided.length === 0) return noneJoined;
    const ids = new Set(decided.map(({ run }) => run.row.id));
    let written: readonly Written[] = [];
    const joined: JoinedRuns = {
      has: (runId) => ids.has(runId),
      begin: () => decided.forEach((each, i) => void follow(parts, each, written[i]!)),
      undo() {
        for (const each of decided) {
          cancel(each);
          owned.delete(each.run.row);
        }
      },
    };
    // Before the commit: a reconciliation of this node's rows must not hand these back.
    for (const { run } of decided) owned.set(run);
    try {
      written = await writeDispatches(node, trx, decided);
    } catch (error) {
      joined.undo();
      throw error;
    }
    return joined;
  };
}

/** Steps of flows that can run in any slot, whatever else runs there, and that no limit of their job holds back. */
function mayJoin(node: RingNode, { row, job }: ActiveRun): boolean {
  if (row.flowStep === null || row.state !== 'pending' || row.dueAt !== null || row.owner !== node.owner) return false;
  if (node.isStopping || node.passWatch.isStuck) return false;
  const isSteady = STEADY_ROUTES.has(job.route) && (job.block === 'SERIAL' || job.block === 'CONCURRENT');
  return isSteady && job.maxRunning === null && job.rate === null;
}
