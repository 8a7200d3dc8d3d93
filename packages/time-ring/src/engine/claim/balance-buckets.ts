import type { EpochMs } from '@horae/clock-store';
import { BUCKETS } from '../../routing/route-hash.js';
import type { BucketLease } from '../../store/job-store.js';

/** The changes a node makes to its buckets. */
export interface BucketMoves {
  readonly take: readonly number[];
  readonly release: readonly number[];
  /** Leases of lost nodes that have not expired: they are freed first. */
  readonly free: readonly BucketLease[];
  /** The node has its share. */
  readonly isEven: boolean;
}

/**
 * Brings a node to its even share: `floor(64 / n)` buckets for n living nodes, and one more for the first `64 mod n` of them, by owner. The
 * buckets of a lost node are taken as a whole and shared at the next second. Every node decides independently from shared data; the
 * database decides between two that take the same bucket. `leases` must be read before `living`: the owner of a lease was alive.
 */
export function balanceBuckets(
  owner: string,
  living: readonly string[],
  leases: readonly BucketLease[],
  now: EpochMs,
): BucketMoves {
  const owners = [...new Set([...living, owner])].sort();
  const more = owners.indexOf(owner) < BUCKETS % owners.length ? 1 : 0;
  const share = Math.floor(BUCKETS / owners.length) + more;
  const mine = leases.filter((lease) => lease.owner === owner).map(({ bucket }) => bucket);
  if (mine.length > share) return { take: [], release: mine.slice(share), free: [], isEven: false };
  const vacant = leases.filter((lease) => lease.owner === null).slice(0, share - mine.length);
  const others = leases.filter((lease) => lease.owner !== null && lease.owner !== owner);
  const free = others.filter((lease) => lease.expiresAt >= now && !owners.includes(lease.owner!));
  // A lost node's buckets must not wait for another node that may be lost too: the first node takes them all, and shares afterwards.
  const lost = [...others.filter((lease) => lease.expiresAt < now), ...free];
  return {
    take: [...vacant, ...lost].map(({ bucket }) => bucket).sort((a, b) => a - b),
    release: [],
    free,
    isEven: mine.length === share,
  };
}
