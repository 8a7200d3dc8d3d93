import { chooseExecutor, chooseUnasked, type RouteContext } from '../decide/route.js';
import { createRouteMemory } from '../decide/route-memory.js';
import type { RemoteCalls } from '../http/remote-calls.js';
import type { ActiveRun } from './active-run.js';
import type { ExecutorRegistry } from './executor-registry.js';
import type { RingNode } from './ring-node.js';

/**
 * The addresses a run goes to, at once where nobody has to be asked: none when nobody can be reached, several when it is the first shard
 * of a broadcast that has yet to spread.
 */
export type RunRouter = (run: ActiveRun) => readonly string[] | Promise<readonly string[]>;

export function createRunRouter(node: RingNode, registry: ExecutorRegistry, calls: RemoteCalls): RunRouter {
  const memory = createRouteMemory();
  const beat = async (address: string) => registry.local(address) !== undefined || calls.beat(address);
  const idleBeat = async (address: string, jobId: number) =>
    registry.local(address)?.bench.isIdle(jobId) ?? calls.idleBeat(address, jobId);

  function among(
    { job, row }: ActiveRun,
    addresses: readonly string[],
  ): readonly string[] | Promise<readonly string[]> {
    if (job.route === 'SHARDING_BROADCAST') {
      const isSpread = row.shardTotal > 1 || row.triggerType === 'retry' || row.firedAt !== null;
      return isSpread && addresses.length > 0 ? [addresses[row.shardIndex % addresses.length]!] : addresses;
    }
    const context: RouteContext = { jobId: job.id, addresses, memory, random: node.random, beat, idleBeat };
    return chooseUnasked(job.route, context) ?? chooseExecutor(job.route, context);
  }

  return (run) => {
    if (run.row.fixedAddress !== null) return [run.row.fixedAddress];
    const addresses = registry.addresses(run.job.executorGroup);
    return addresses instanceof Promise ? addresses.then((read) => among(run, read)) : among(run, addresses);
  };
}
