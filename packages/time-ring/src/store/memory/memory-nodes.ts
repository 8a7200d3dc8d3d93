import { BUCKETS } from '../../routing/route-hash.js';
import { byPlace, isRestart } from '../executor-order.js';
import type { BucketLease, JobTransaction, NodeHeartbeat, RegisteredExecutor } from '../job-store.js';
import { type Journal, JournalledMap } from './journalled-map.js';

type NodeVerbs =
  | 'nodes'
  | 'buckets'
  | 'executors'
  | 'lostExecutors'
  | 'addKill'
  | 'takeKills'
  | 'heartbeat'
  | 'keepNode'
  | 'pinNodes'
  | 'lockNodes'
  | 'removeNode'
  | 'lockBuckets'
  | 'renewBuckets'
  | 'takeBucket'
  | 'releaseBuckets'
  | 'putExecutor'
  | 'removeExecutor';

/** The state that nodes share in the memory store. */
export function memoryNodes(journal: Journal): Pick<JobTransaction, NodeVerbs> {
  const heartbeats = new JournalledMap<string, NodeHeartbeat>(journal);
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
      .flatMap((executor) => {
        if (executor.nodeOwner === null) return [executor];
        const node = heartbeats.get(executor.nodeOwner);
        return node === undefined ? [] : [{ ...executor, beatAt: node.beatAt }];
      })
      .sort(byPlace);
  }

  return {
    nodes: async () => heartbeats.values(),
    buckets: async () => leases.values(),
    executors: async (group) => registered(group),
    lostExecutors: async ({ beatBefore, limit }) =>
      registered()
        .filter(({ nodeOwner, beatAt }) => nodeOwner === null && beatAt < beatBefore)
        .slice(0, limit),
    addKill: async (owner, runId) => kills.set(`${owner} ${runId}`, { owner, runId }),
    takeKills: async (owner) => {
      const mine = kills.values().filter((kill) => kill.owner === owner);
      for (const { runId } of mine) kills.delete(`${owner} ${runId}`);
      return mine.map(({ runId }) => runId);
    },
    heartbeat: async (node) => heartbeats.set(node.owner, { ...node }),
    keepNode: async (node) => {
      if (!heartbeats.has(node.owner)) heartbeats.set(node.owner, { ...node });
    },
    pinNodes: async (owners) => new Set(owners.filter((owner) => heartbeats.has(owner))),
    lockNodes: async (owners) =>
      heartbeats
        .values()
        .filter(({ owner }) => owners.includes(owner))
        .sort((a, b) => (a.owner < b.owner ? -1 : 1)),
    removeNode: async (owner) => {
      heartbeats.delete(owner);
      for (const executor of registry.values()) if (executor.nodeOwner === owner) registry.delete(keyOf(executor));
    },
    lockBuckets: async (owner) => leasesOf(owner),
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
    putExecutor: async ({ at, ...executor }) => {
      const key = keyOf(executor);
      const known = registry.get(key);
      registry.set(key, { ...executor, registeredAt: known?.registeredAt ?? at, beatAt: at });
      if (known === undefined) return 'new';
      return isRestart(known.instanceId, executor.instanceId) ? 'restarted' : 'known';
    },
    removeExecutor: async (executor) => {
      const known = registry.get(keyOf(executor)) ?? null;
      registry.delete(keyOf(executor));
      return known;
    },
  };
}

function keyOf({ group, address, nodeOwner }: Pick<RegisteredExecutor, 'group' | 'address' | 'nodeOwner'>): string {
  return JSON.stringify([group, address, nodeOwner]);
}
