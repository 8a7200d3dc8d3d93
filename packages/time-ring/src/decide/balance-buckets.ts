import type { EpochMs } from '@horae/clock-store';
import type { BucketLease, NodeBeat } from '../store/job-store.js';
import { BUCKETS } from './route-hash.js';

/** What a node does about its buckets. */
export interface BucketMoves {
  readonly take: readonly number[];
  readonly release: readonly number[];
}

/**
 * Brings a node to its even share: `floor(64 / n)` of n living nodes, and the first `64 mod n` of them, by owner, one more. What a
 * lost node has left is taken whole and shared at the next second. Every node decides by itself from what all can see; two that
 * reach for the same bucket are told apart by the database.
 */
export function balanceBuckets(
  owner: string,
  nodes: readonly NodeBeat[],
  leases: readonly BucketLease[],
  now: EpochMs,
  leaseMs: number,
): BucketMoves {
  const living = nodes.filter((node) => node.owner === owner || now - node.beatAt <= leaseMs);
  const owners = [...new Set([...living.map((node) => node.owner), owner])].sort();
  const more = owners.indexOf(owner) < BUCKETS % owners.length ? 1 : 0;
  const share = Math.floor(BUCKETS / owners.length) + more;
  const mine = leases.filter((lease) => lease.owner === owner).map(({ bucket }) => bucket);
  if (mine.length > share) return { take: [], release: mine.slice(share) };
  const free = leases.filter((lease) => lease.owner === null).slice(0, share - mine.length);
  // A lost node's buckets must not wait for another that may be lost too: whoever comes takes them all, and shares afterwards.
  const lost = leases.filter((lease) => lease.owner !== null && lease.owner !== owner && lease.expiresAt < now);
  return { take: [...free, ...lost].map(({ bucket }) => bucket).sort((a, b) => a - b), release: [] };
}
