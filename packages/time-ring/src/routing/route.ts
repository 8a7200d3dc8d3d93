import type { Random } from '@horae/clock-store';
import type { RouteStrategy } from '../model/job.js';
import { routeHash } from './route-hash.js';
import { type RouteMemory, recallLeastFrequent, recallLeastRecent, recallRound } from './route-memory.js';

/** The input for choosing a route. */
export interface RouteContext {
  jobId: number;
  /** Sorted. */
  addresses: readonly string[];
  memory: RouteMemory;
  random: Random;
  /** Whether the executor answers at all. */
  beat(address: string): Promise<boolean>;
  /** Whether the executor is free for the job. */
  idleBeat(address: string, jobId: number): Promise<boolean>;
}

const VIRTUAL_NODES = 100;

/** The address that receives the trigger; all of them for `SHARDING_BROADCAST`; none when there is no executor or none answers. */
export async function chooseExecutor(strategy: RouteStrategy, context: RouteContext): Promise<readonly string[]> {
  return chooseUnasked(strategy, context) ?? ask(strategy, context);
}

/** The same where the choice needs no probe; null for the strategies that probe executors first. */
export function chooseUnasked(strategy: RouteStrategy, context: RouteContext): readonly string[] | null {
  const { addresses, memory, jobId } = context;
  if (addresses.length === 0) return addresses;
  switch (strategy) {
    case 'FIRST':
      return [addresses[0]!];
    case 'LAST':
      return [addresses.at(-1)!];
    case 'RANDOM':
      return [addresses[context.random.below(addresses.length)]!];
    case 'ROUND':
      return [addresses[recallRound(memory, jobId, context.random) % addresses.length]!];
    case 'CONSISTENT_HASH':
      return [consistentChoice(jobId, addresses)];
    case 'LEAST_FREQUENTLY_USED':
      return [recallLeastFrequent(memory, jobId, addresses)];
    case 'LEAST_RECENTLY_USED':
      return [recallLeastRecent(memory, jobId, addresses)];
    case 'SHARDING_BROADCAST':
      return [...addresses];
    default:
      return null;
  }
}

function ask(strategy: RouteStrategy, context: RouteContext): Promise<readonly string[]> {
  const { addresses, jobId } = context;
  return strategy === 'FAILOVER'
    ? firstThat(addresses, (address) => context.beat(address))
    : firstThat(addresses, (address) => context.idleBeat(address, jobId));
}

/** Probes in list order and stops at the first yes; a probe that rejects is a no. */
async function firstThat(addresses: readonly string[], asks: (address: string) => Promise<boolean>): Promise<string[]> {
  for (const address of addresses) {
    try {
      if (await asks(address)) return [address];
    } catch {
      // A missing answer is a no.
    }
  }
  return [];
}

/** The first virtual node at or after the job on the circle, wrapping around after the last. */
function consistentChoice(jobId: number, addresses: readonly string[]): string {
  const job = routeHash(String(jobId));
  let after: { hash: number; address: string } | undefined;
  let first: { hash: number; address: string } | undefined;
  for (const address of addresses) {
    for (const hash of virtualNodes(address)) {
      if (first === undefined || hash < first.hash) first = { hash, address };
      if (hash >= job && (after === undefined || hash < after.hash)) after = { hash, address };
    }
  }
  return (after ?? first!).address;
}

const nodesByAddress = new Map<string, readonly number[]>();

/** The hashes of an address, cached for recent addresses: a hundred digests per address are too many for every trigger. */
function virtualNodes(address: string): readonly number[] {
  let nodes = nodesByAddress.get(address);
  if (nodes === undefined) {
    nodes = Array.from({ length: VIRTUAL_NODES }, (_, i) => routeHash(`SHARD-${address}-NODE-${i}`));
    if (nodesByAddress.size >= 10_000) nodesByAddress.clear();
    nodesByAddress.set(address, nodes);
  }
  return nodes;
}
