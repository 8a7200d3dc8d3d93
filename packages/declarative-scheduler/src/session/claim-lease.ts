import type { Clock } from '@horae/clock-store';
import { createLeaseWatch } from '../base/lease-watch.js';
import { isThisMachine, thisProcess } from '../base/process-identity.js';
import { NamespaceBusyError } from '../base/scheduler-errors.js';
import type { ClaimOutcome, Holder, Lease } from '../store/lease.js';
import type { TaskStore } from '../store/task-store.js';
import { storing } from './prepare-session.js';

/** A lease, and the monotonic time before the claim was sent, from which it counts. */
export interface Claimed {
  readonly lease: Lease;
  readonly claimedAtMs: number;
}

type Held = ClaimOutcome & { readonly kind: 'held' };

/** Claims the lease of a store for one instance. */
export interface LeaseClaims {
  /** The lease, or null while another instance holds it. Called repeatedly: each reading is compared with earlier ones. */
  tryClaim(): Promise<Claimed | null>;
  /** The lease, or `NamespaceBusyError` as soon as it is certain that its holder lives. */
  claimOrReject(): Promise<Claimed>;
}

/** How often, and how many times at most, a holder on another machine is read before it counts as alive. */
const LOOK_MS = 250;
const MAX_LOOKS = 24;

export function createLeaseClaims(store: TaskStore, clock: Clock, owner: string): LeaseClaims {
  const watch = createLeaseWatch(clock);
  const me = thisProcess(owner);

  async function claim(over?: Holder): Promise<Claimed | Held> {
    const claimedAtMs = clock.monotonicMs();
    const outcome = await storing('claim the namespace', store.claim!(me, over));
    return outcome.kind === 'held' ? outcome : { lease: outcome.lease, claimedAtMs };
  }

  async function look(): Promise<Claimed | Held> {
    const found = await claim();
    return 'kind' in found && watch.isExpired(found.holder) ? claim(found.holder) : found;
  }

  return {
    async tryClaim() {
      const found = await look();
      return 'kind' in found ? null : found;
    },
    async claimOrReject() {
      for (let looks = 1; ; looks++) {
        const found = await look();
        if (!('kind' in found)) return found;
        const { namespace, holder } = found;
        // A process of this machine is known to live; one of another machine shows it by a heartbeat.
        if (isThisMachine(holder) || watch.isAlive(holder) || looks >= MAX_LOOKS) {
          throw new NamespaceBusyError({ namespace, host: holder.host, pid: holder.pid });
        }
        await clock.sleepFor(LOOK_MS);
      }
    },
  };
}
