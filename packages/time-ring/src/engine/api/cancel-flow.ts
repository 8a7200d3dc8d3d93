import { TimeRingError } from '../../model/errors.js';
import type { Flows } from '../../model/flow.js';
import type { FlowRow } from '../../model/flow-rows.js';
import type { Runs } from '../../model/interface.js';
import { judgeFlow } from '../flows/settle-flows.js';
import { openRunIds } from './read-flows.js';
import type { ServiceNode } from './service-node.js';

/** How many runs are killed concurrently. */
const KILLS_AT_ONCE = 100;
/** How often to search for runs that started meanwhile: a cancelled flow starts and retries nothing, so once is nearly always enough. */
const MAX_LOOKS = 20;

/** Cancels flows: first durably prevents further starts, then kills the open runs. */
export function createFlowCancels(
  node: ServiceNode,
  { find, runs }: { find(id: number): Promise<FlowRow>; runs: Pick<Runs, 'cancel'> },
): Flows['cancel'] {
  const { store, time, flowEnds } = node;

  /** Skips the waiting steps. False: the flow is over. */
  async function skipWaiting(id: number): Promise<boolean> {
    const after = await store.transaction(async (trx) => {
      const [flow] = await trx.lockFlows([id]);
      if (flow === undefined || flow.endedAt !== null) return null;
      const waiting = (await trx.lockSteps({ flowIds: [id] })).filter(({ state }) => state === 'waiting');
      await trx.changeSteps(waiting.map((step) => ({ ...step, state: 'skipped' })));
      const openSteps = flow.openSteps - waiting.length;
      const cancelled = judgeFlow({ ...flow, isCancelled: true, openSteps }, time.now());
      await trx.putFlows([cancelled]);
      return cancelled;
    });
    if (after !== null && after.endedAt !== null) flowEnds.emit('ended', { flowId: id });
    return after !== null;
  }

  async function killAll(ids: readonly number[]): Promise<void> {
    for (let from = 0; from < ids.length; from += KILLS_AT_ONCE) {
      const kills = ids.slice(from, from + KILLS_AT_ONCE).map((id) => runs.cancel(id));
      const refused = (await Promise.allSettled(kills)).find((kill) => kill.status === 'rejected');
      if (refused !== undefined) throw refused.reason;
    }
  }

  return async (id) => {
    await find(id);
    if (!(await skipWaiting(id))) return false;
    for (let look = 0; look < MAX_LOOKS; look++) {
      const open = await openRunIds(store, id);
      if (open.length === 0) return true;
      await killAll(open);
    }
    throw new TimeRingError('kill-refused', `Runs of flow ${id} are still open after ${MAX_LOOKS} tries: try again`, {
      field: 'id',
      value: id,
    });
  };
}
