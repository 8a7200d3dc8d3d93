import type { Clock, EpochMs } from '@horae/clock-store';
import type { EventLog } from '../base/event-log.js';
import { LeaseLostError } from '../store/lease.js';

/** Whether the store works, from the writes and heartbeats of an instance. */
export interface StoreHealth {
  /** When the store began to fail; null while it works. */
  readonly failedAt: EpochMs | null;
  /** Reports a failure. A refused fence is not a failure of the store. */
  failed(error: unknown): void;
  /** Like `failed`, but of failures in a row it reports one every 30 seconds. */
  failedHeartbeat(error: unknown): void;
  works(): void;
}

const REPORT_EVERY_MS = 30_000;

export function createStoreHealth(clock: Clock, events: EventLog, onLeaseLost: () => void): StoreHealth {
  let failedAt: EpochMs | null = null;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  const failed = (error: unknown) => {
    if (error instanceof LeaseLostError) {
      onLeaseLost();
      return;
    }
    failedAt ??= clock.now();
    reportedAtMs = clock.monotonicMs();
    events.emit('StoreFailed', { error });
  };
  return {
    get failedAt() {
      return failedAt;
    },
    failed,
    failedHeartbeat(error) {
      if (failedAt === null || clock.monotonicMs() - reportedAtMs >= REPORT_EVERY_MS) failed(error);
    },
    works() {
      failedAt = null;
    },
  };
}
