import type { Clock } from '@horae/clock-store';
import { groupMembers } from '../engine/dispatch/group-members.js';
import type { ExecutorRegistry } from '../engine/dispatch/registry.js';
import { createLiveness } from '../engine/node/liveness.js';
import { executorInfo, livingExecutors } from '../engine/node/living-executors.js';
import type { RingTime } from '../engine/node/ring-time.js';
import { UNOWNED } from '../model/run.js';
import type { JobStore } from '../store/job-store.js';

/** The executors of a ring as a client sees them: none of them is local. */
export function createClientExecutors(
  store: JobStore,
  time: RingTime,
  { clock, leaseMs }: { readonly clock: Clock; readonly leaseMs: number },
): Pick<ExecutorRegistry, 'list' | 'members' | 'local' | 'locals'> {
  const liveness = createLiveness(clock, leaseMs);
  const living = async (group?: string) => {
    await time.read(store);
    return livingExecutors(await store.executors(group), liveness, time.now());
  };
  return {
    list: async (group) => (await living(group)).map((executor) => executorInfo(executor, () => 'closed')),
    members: async (group) => groupMembers([], await living(group), UNOWNED),
    local: () => undefined,
    locals: () => [],
  };
}
