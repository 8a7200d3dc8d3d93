import { badOption, TimeRingError } from '../../model/errors.js';
import type { Flows } from '../../model/flow.js';
import type { FlowRow } from '../../model/flow-rows.js';
import { readFlow } from './read-flows.js';
import type { ServiceNode } from './service-node.js';
import { stopped } from './stopped-guard.js';

/** How soon the end of a flow on another node is noticed. */
const POLL_MS = 250;

/** Waits for flows to end: woken by this node's writes, and by polling for the writes of others. */
export function createFlowWaits(node: ServiceNode, find: (id: number) => Promise<FlowRow>): Flows['wait'] {
  const { store, clock, flowEnds } = node;
  return async (id, { timeoutMs } = {}) => {
    if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw badOption('timeoutMs', timeoutMs, 'a number from 0 on');
    const deadlineMs = clock.monotonicMs() + (timeoutMs ?? Number.POSITIVE_INFINITY);
    for (;;) {
      const nap = new AbortController();
      // Listens first: an end between the read and the sleep wakes it.
      const remove = flowEnds.on('ended', ({ flowId }) => {
        if (flowId === id) nap.abort();
      });
      try {
        const flow = await find(id);
        if (flow.endedAt !== null) return await readFlow(store, flow);
        if (node.isStopping) throw stopped();
        const leftMs = deadlineMs - clock.monotonicMs();
        if (leftMs <= 0) throw timedOut(id, timeoutMs!);
        await clock.sleepFor(Math.min(POLL_MS, leftMs), { signal: nap.signal }).catch(() => {});
      } finally {
        nap.abort();
        remove();
      }
    }
  };
}

function timedOut(id: number, timeoutMs: number): TimeRingError {
  return new TimeRingError('wait-timeout', `Flow ${id} was not over within ${timeoutMs} ms: it goes on`, {
    field: 'timeoutMs',
    value: timeoutMs,
    flowId: id,
  });
}
