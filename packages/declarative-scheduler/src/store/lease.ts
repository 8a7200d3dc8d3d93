import { HoraeError } from '@horae/clock-store';

/** An instance that wants to lead: one `initialize` of one scheduler in one process. */
export interface Claimant {
  /** Unique for each `initialize`. */
  readonly owner: string;
  readonly host: string;
  readonly pid: number;
  /** The boot and the process namespace: a process number means the same process only where both are equal. */
  readonly machine: string;
  /** When the process started, because its number may be used again; empty where that is unknown. */
  readonly processStart: string;
}

/** The holder of a lease. Every renewal changes `heartbeat`: a holder that stays exactly the same for too long is gone. */
export interface Holder extends Claimant {
  readonly fence: number;
  readonly heartbeat: number;
}

/** A lease that was granted. */
export interface Lease {
  readonly namespace: string;
  /** Higher than that of every lease before. Writes carry it. */
  readonly fence: number;
  /** A heartbeat; false when another instance holds the lease now. */
  renew(): Promise<boolean>;
  /** Frees the namespace at once, unless another instance holds it by now. */
  release(): Promise<void>;
}

/** The result of claiming the lease: the lease, or its holder. */
export type ClaimOutcome =
  | { readonly kind: 'granted'; readonly lease: Lease }
  | { readonly kind: 'held'; readonly namespace: string; readonly holder: Holder };

/** A write was refused, or a run aborted, because another instance leads now. */
export class LeaseLostError extends HoraeError<{ namespace: string; fence: number }> {
  readonly code: string = 'lease-lost';

  constructor(namespace: string, fence: number) {
    super(`Another instance leads the namespace "${namespace}" now: fence ${fence} is no longer valid`, {
      namespace,
      fence,
    });
  }
}

/** Whether two readings show the same holder without a heartbeat in between. */
export function isSameReading(a: Holder, b: Holder): boolean {
  return a.owner === b.owner && a.fence === b.fence && a.heartbeat === b.heartbeat;
}
