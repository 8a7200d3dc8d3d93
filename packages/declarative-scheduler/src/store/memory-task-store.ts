import type { TaskRecord } from '../task/task-record.js';
import { type Claimant, type ClaimOutcome, type Holder, isSameReading, LeaseLostError } from './lease.js';
import type { TaskStore } from './task-store.js';

const NAMESPACE = 'memory';

/**
 * A store that lives as long as this object: tasks survive `stop` and `initialize`, not the end of the process. Several schedulers of
 * one process may share it with `instances: 'standby'`; by default a scheduler in memory is alone.
 */
export function memoryTaskStore(): TaskStore {
  const records = new Map<string, TaskRecord>();
  const leases = createLeaseBook();
  const put = (changed: readonly TaskRecord[]) => {
    for (const record of changed) records.set(record.name, record);
  };
  const close = async () => {};
  return {
    load: async () => [...records.values()],
    apply: async ({ remove, put: changed }, fence) => {
      leases.check(fence);
      for (const name of remove) records.delete(name);
      put(changed);
    },
    save: async (changed, fence) => {
      leases.check(fence);
      put(changed);
    },
    claim: async (claimant, over) => leases.claim(claimant, over),
    instances: 'alone',
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The lease of one namespace, in memory. */
function createLeaseBook() {
  let holder: Holder | null = null;
  let fence = 0;

  function grant(claimant: Claimant): ClaimOutcome {
    fence += 1;
    const granted = fence;
    const isMine = () => holder !== null && holder.fence === granted;
    holder = { ...claimant, fence, heartbeat: 0 };
    return {
      kind: 'granted',
      lease: {
        namespace: NAMESPACE,
        fence: granted,
        async renew() {
          if (!isMine()) return false;
          holder = { ...holder!, heartbeat: holder!.heartbeat + 1 };
          return true;
        },
        async release() {
          if (isMine()) holder = null;
        },
      },
    };
  }

  return {
    claim(claimant: Claimant, over: Holder | undefined): ClaimOutcome {
      const isFree = holder === null || (over !== undefined && isSameReading(holder, over));
      return isFree ? grant(claimant) : { kind: 'held', namespace: NAMESPACE, holder: holder! };
    },
    check(expected: number | undefined): void {
      if (expected !== undefined && holder?.fence !== expected) throw new LeaseLostError(NAMESPACE, expected);
    },
  };
}
