import type { EpochMs } from '@horae/clock-store';
import type { BucketLease, JobTransaction } from '../../store/job-store.js';
import type { RingNode } from '../node/ring-node.js';
import { balanceBuckets } from './balance-buckets.js';

/** The buckets whose jobs this node schedules. */
export interface BucketLeases {
  /** As last seen, ascending. */
  readonly owned: readonly number[];
  /** Takes free buckets and releases those beyond this node's share. */
  balance(): Promise<void>;
  /** Whether there was nothing to take or to release at the last balance, with these living nodes. */
  isEven(living: readonly string[]): boolean;
  /** The leases, locked and renewed in the transaction of a pass: no other node can take one meanwhile. */
  hold(trx: JobTransaction, now: EpochMs): Promise<readonly BucketLease[]>;
  /** Emits events for the changes since the last call. */
  saw(leases: readonly BucketLease[]): void;
  release(): Promise<void>;
}

export function createBucketLeases(node: RingNode): BucketLeases {
  const { owner, options, emitter } = node;
  let known = new Map<number, number>();
  /** The living nodes among which this one had its share. */
  let even: ReadonlySet<string> | null = null;

  function saw(leases: readonly BucketLease[]): void {
    const before = known;
    known = new Map(leases.map(({ bucket, epoch }) => [bucket, epoch]));
    for (const [bucket, epoch] of before) {
      if (known.get(bucket) !== epoch) emitter.emit('bucket-lost', { bucket, epoch });
    }
    for (const [bucket, epoch] of known) {
      if (before.get(bucket) !== epoch) emitter.emit('bucket-acquired', { bucket, epoch });
    }
  }

  return {
    get owned() {
      return [...known.keys()].sort((a, b) => a - b);
    },
    async balance() {
      const leases = await node.store.buckets();
      const nodes = await node.store.nodes();
      const now = await node.time.read(node.store);
      const living = nodes.filter((beat) => !node.liveness.isDead(beat, now)).map((beat) => beat.owner);
      const { take, release, free, isEven } = balanceBuckets(owner, living, leases, now);
      even = isEven && take.length === 0 ? new Set(living) : null;
      if (take.length === 0 && release.length === 0) return;
      await node.store.transaction(async (trx) => {
        await trx.releaseBuckets(owner, release);
        for (const lease of free) await trx.releaseBuckets(lease.owner!, [lease.bucket]);
        for (const bucket of take) await trx.takeBucket(bucket, owner, now, now + options.leaseMs);
      });
    },
    isEven: (living) => even !== null && living.length === even.size && living.every((one) => even!.has(one)),
    async hold(trx, now) {
      const leases = await trx.lockBuckets(owner);
      await trx.renewBuckets(owner, now + options.leaseMs);
      return leases;
    },
    saw,
    async release() {
      await node.store.transaction(async (trx) => {
        const leases = await trx.lockBuckets(owner);
        await trx.releaseBuckets(
          owner,
          leases.map(({ bucket }) => bucket),
        );
      });
      saw([]);
    },
  };
}
