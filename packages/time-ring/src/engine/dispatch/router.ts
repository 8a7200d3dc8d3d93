import type { WaitingReason } from '../../model/run.js';
import type { Candidate, CandidateList } from '../../routing/candidates.js';
import { chooseExecutor, chooseUnasked, type RouteContext } from '../../routing/route.js';
import { createRouteMemory } from '../../routing/route-memory.js';
import type { RemoteCalls } from '../../workbench/remote-calls.js';
import type { ActiveRun } from '../node/active-run.js';
import type { RingNode } from '../node/ring-node.js';
import type { GroupMembers } from './group-members.js';
import type { ExecutorRegistry } from './registry.js';

/** The route of a run: to one executor, to several for the first shard of a broadcast that has yet to spread; or it waits. */
export type Route =
  | { readonly kind: 'to'; readonly targets: readonly Candidate[] }
  | { readonly kind: 'wait'; readonly reason: WaitingReason };

/** Routes a run; without a promise where nothing has to be queried. */
export type RunRouter = (run: ActiveRun) => Route | Promise<Route>;

/** The executors that could take a run of the job, regardless of free slots; or the reason why none can. */
export function judgeMembers(
  members: GroupMembers,
  run: { readonly handler: string; readonly fixedAddress: string | null },
  calls: Pick<RemoteCalls, 'breaker' | 'hasBreakers'>,
): { readonly able: CandidateList } | { readonly reason: WaitingReason } {
  const { handler, fixedAddress } = run;
  const isThere = ({ address }: Candidate) => fixedAddress === null || address === fixedAddress;
  if (!members.all.some(isThere)) return { reason: 'executor' };
  const able = members.withHandler(handler).filter(isThere);
  if (able.all.length === 0) return { reason: 'handler' };
  if (!calls.hasBreakers()) return { able };
  const reachable = able.filter(({ place, address }) => place !== 'remote' || calls.breaker(address) !== 'open');
  return reachable.all.length === 0 ? { reason: 'breaker' } : { able: reachable };
}

export function createRunRouter(node: RingNode, registry: ExecutorRegistry, calls: RemoteCalls): RunRouter {
  const memory = createRouteMemory();

  /** An executor of another node counts as reachable while its node lives, and as busy while its node owns runs of the job. */
  async function isIdleElsewhere({ nodeOwner }: Candidate, jobId: number): Promise<boolean> {
    return !(await node.store.ownsRunOf(nodeOwner!, jobId));
  }

  function hasRoom({ place, address }: Candidate, { job }: ActiveRun): boolean {
    return place !== 'own' || (registry.local(address)?.slots.room(job) ?? 0) > 0;
  }

  function among(run: ActiveRun, able: CandidateList): Route | Promise<Route> {
    const { job, row } = run;
    if (job.route === 'SHARDING_BROADCAST') {
      const isSpread = row.shardTotal > 1 || row.triggerType === 'retry' || row.firedAt !== null;
      return to(isSpread ? [able.all[row.shardIndex % able.all.length]!] : able.all);
    }
    const open = able.filter((candidate) => hasRoom(candidate, run));
    if (open.all.length === 0) return { kind: 'wait', reason: 'slot' };
    const context: RouteContext = {
      jobId: job.id,
      addresses: open.keysFor(job.route),
      memory,
      random: node.random,
      beat: async (key) => {
        const { place, address } = open.get(key);
        return place !== 'remote' || calls.beat(address);
      },
      idleBeat: async (key, jobId) => {
        const candidate = open.get(key);
        if (candidate.place === 'remote') return calls.idleBeat(candidate.address, jobId);
        if (candidate.place === 'node') return isIdleElsewhere(candidate, jobId);
        return registry.local(candidate.address)?.slots.isIdle(jobId) ?? false;
      },
    };
    const chosen = chooseUnasked(job.route, context);
    if (chosen !== null) return to([open.get(chosen[0]!)]);
    return chooseExecutor(job.route, context).then(([key]) =>
      // No executor answers, or none is idle: both may change at any moment.
      key === undefined ? { kind: 'wait', reason: job.route === 'BUSYOVER' ? 'slot' : 'breaker' } : to([open.get(key)]),
    );
  }

  function judge(run: ActiveRun, members: GroupMembers): Route | Promise<Route> {
    const { job, row } = run;
    const verdict = judgeMembers(members, { handler: job.handler, fixedAddress: row.fixedAddress }, calls);
    return 'reason' in verdict ? { kind: 'wait', reason: verdict.reason } : among(run, verdict.able);
  }

  return (run) => {
    const { row, job } = run;
    // Another node has chosen one of this node's executors.
    const chosen = row.address === null || row.fixedAddress !== null ? undefined : registry.local(row.address);
    if (chosen !== undefined && chosen.slots.room(job) > 0 && chosen.handlers.includes(job.handler)) {
      return to([{ key: row.address!, address: row.address!, place: 'own', nodeOwner: node.owner, handlers: null }]);
    }
    const members = registry.members(job.executorGroup);
    return members instanceof Promise ? members.then((read) => judge(run, read)) : judge(run, members);
  };
}

function to(targets: readonly Candidate[]): Route {
  return { kind: 'to', targets };
}
