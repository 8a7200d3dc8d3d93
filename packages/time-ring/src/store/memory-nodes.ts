import { BUCKETS } from '../decide/route-hash.js';
import type { BucketLease, JobTransaction, NodeBeat, RegisteredExecutor } from './job-store.js';
import { type Journal, JournalledMap } from './journalled-map.js';

type NodeVerbs =
  | 'nodes'
  | 'buckets'
  | 'executors'
  | 'lostExecutors'
  | 'addKill'
  | 'takeKills'
  | 'beat'
  | 'keepNode'
  | 'holdNodes'
  | 'removeNode'
  | 'holdBuckets'
  | 'renewBuckets'
  | 'takeBucket'
  | 'releaseBuckets'
  | 'putExecutor'
  | 'removeExecutor';

/** What nodes tell each other in the memory store. */
export function memoryNodes(journal: Journal): Pick<JobTransaction, NodeVerbs> {
  const beats = new JournalledMap<string, NodeBeat>(journal);
  const leases = new JournalledMap<number, BucketLease>(journal);
  const registry = new JournalledMap<string, RegisteredExecutor>(journal);
  const kills = new JournalledMap<string, { owner: string; runId: number }>(journal);
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    leases.set(bucket, { bucket, owner: null, epoch: 0, expiresAt: 0 });
  }

  function leasesOf(owner: string): BucketLease[] {
    return leases.values().filter((lease) => lease.owner === owner);
  }

  function registered(group?: string): RegisteredExecutor[] {
    return registry
      .values()
      .filter((executor) => group === undefined || executor.group === group)
      .sort((a, b) => compare(a.group, b.group) || compare(a.address, b.address));
  }

  return {
    nodes: async () => beats.values(),
    buckets: async () => leases.values(),
    executors: async (group) => registered(group),
    lostExecutors: async ({ beatBefore, limit }) =>
      registered()
        .filter(({ beatAt }) => beatAt < beatBefore)
        .slice(0, limit),
    addKill: async (owner, runId) => kills.set(`${owner} ${runId}`, { owner, runId }),
    takeKills: async (owner) => {
      const mine = kills.values().filter((kill) => kill.owner === owner);
      for (const { runId } of mine) kills.delete(`${owner} ${runId}`);
      return mine.map(({ runId }) => runId);
    },
    beat: async (node) => beats.set(node.owner, { ...node }),
    keepNode: async (node) => {
      if (!beats.has(node.owner)) beats.set(node.owner, { ...node });
    },
    holdNodes: async (owners) =>
      beats
        .values()
        .filter(({ owner }) => owners.includes(owner))
        .sort((a, b) => compare(a.owner, b.owner)),
    removeNode: async (owner) => beats.delete(owner),
    holdBuckets: async (owner) => leasesOf(owner),
    renewBuckets: async (owner, expiresAt) => {
      for (const lease of leasesOf(owner)) leases.set(lease.bucket, { ...lease, expiresAt });
    },
    takeBucket: async (bucket, owner, now, expiresAt) => {
      const lease = leases.get(bucket);
      if (lease === undefined || (lease.owner !== null && lease.expiresAt >= now)) return null;
      const epoch = lease.epoch + 1;
      leases.set(bucket, { bucket, owner, epoch, expiresAt });
      return epoch;
    },
    releaseBuckets: async (owner, buckets) => {
      for (const lease of leasesOf(owner)) {
        if (buckets.includes(lease.bucket)) leases.set(lease.bucket, { ...lease, owner: null });
      }
    },
    putExecutor: async ({ group, address, at }) => {
      const key = JSON.stringify([group, address]);
      const known = registry.get(key);
      registry.set(key, { group, address, registeredAt: known?.registeredAt ?? at, beatAt: at });
      return known === undefined ? 'new' : 'known';
    },
    removeExecutor: async (group, address) => {
      const key = JSON.stringify([group, address]);
      const known = registry.get(key) ?? null;
      registry.delete(key);
      return known;
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
