import { type Clock, createSupervisedLoop, type Random } from '@horae/clock-store';
import { HEARTBEAT_MS, LEASE_MS } from '../base/lease-watch.js';
import type { Lease } from '../store/lease.js';
import { handOver } from './hand-over.js';
import type { StoreHealth } from './store-health.js';

export interface HeldLeaseOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly health: StoreHealth;
  /** Monotonic time before the claim was sent. */
  readonly claimedAtMs: number;
  /** Another instance holds the lease. */
  onLost(): void;
}

/** A lease that this instance holds and renews until it is released or lost. */
export class HeldLease {
  readonly fence: number;
  readonly namespace: string;
  /** Called when a renewal succeeds after the lease had run out unnoticed. */
  onRenewed: () => void = () => {};
  private validUntilMs: number;
  private readonly ending = new AbortController();
  private readonly renewing: Promise<void>;

  constructor(
    private readonly lease: Lease,
    private readonly options: HeldLeaseOptions,
  ) {
    const { clock, random, health } = options;
    this.fence = lease.fence;
    this.namespace = lease.namespace;
    this.validUntilMs = options.claimedAtMs + LEASE_MS;
    let isFirst = true;
    const loop = createSupervisedLoop({
      clock,
      random,
      backoff: { firstMs: HEARTBEAT_MS, longestMs: HEARTBEAT_MS },
      pass: async () => {
        // The claim itself was the first heartbeat.
        if (!isFirst && !(await this.renew())) {
          options.onLost();
          return 'done';
        }
        isFirst = false;
        return { afterMs: HEARTBEAT_MS };
      },
      onFailure: (error) => health.failedHeartbeat(error),
    });
    this.renewing = loop.run(this.ending.signal);
  }

  /** Whether no other instance can hold the lease yet, by elapsed time in this process. */
  isValid(): boolean {
    return this.options.clock.monotonicMs() < this.validUntilMs;
  }

  /** Frees the namespace. Rejects when the store fails; the lease then runs out by itself. */
  async release(): Promise<void> {
    this.ending.abort();
    await this.renewing;
    await this.lease.release();
    handOver();
  }

  /** Stops renewing a lease that is lost. */
  forget(): void {
    this.ending.abort();
  }

  private async renew(): Promise<boolean> {
    const sentAtMs = this.options.clock.monotonicMs();
    if (!(await this.lease.renew())) return false;
    this.options.health.works();
    const wasValid = this.isValid();
    this.validUntilMs = sentAtMs + LEASE_MS;
    if (!wasValid) this.onRenewed();
    return true;
  }
}
