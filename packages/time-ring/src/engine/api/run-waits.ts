import { badOption, TimeRingError } from '../../model/errors.js';
import type { Runs } from '../../model/interface.js';
import { isOver, publicRun, type RunRow } from '../../model/run.js';
import type { ServiceNode } from './service-node.js';
import { stopped } from './stopped-guard.js';

/** How soon the end of a run on another node is noticed. */
const POLL_MS = 250;

/** Waits for runs to end: woken by ends on this node, and by polling for ends elsewhere. */
export function createRunWaits(node: ServiceNode, find: (id: number) => Promise<RunRow>): Runs['wait'] {
  const { store, clock, emitter } = node;

  /** The last attempt if it is over; null otherwise. */
  async function ended({ fireId, shardIndex }: RunRow): Promise<RunRow | null> {
    const latest = (await store.latestOfFires([fireId])).find((row) => row.shardIndex === shardIndex);
    return latest !== undefined && isOver(latest.state) ? latest : null;
  }

  return async (id, { timeoutMs } = {}) => {
    if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw badOption('timeoutMs', timeoutMs, 'a number from 0 on');
    const row = await find(id);
    const deadlineMs = clock.monotonicMs() + (timeoutMs ?? Number.POSITIVE_INFINITY);
    for (;;) {
      const nap = new AbortController();
      const wake = ({ run }: { run: { fireId: number } }) => {
        if (run.fireId === row.fireId) nap.abort();
      };
      // Listens first: an end between the read and the sleep wakes it.
      const removers = (['run-succeeded', 'run-failed', 'run-killed'] as const).map((name) => emitter.on(name, wake));
      try {
        const over = await ended(row);
        if (over !== null) return publicRun(over);
        if (node.isStopping) throw stopped();
        const leftMs = deadlineMs - clock.monotonicMs();
        if (leftMs <= 0) throw timedOut(id, timeoutMs!);
        await clock.sleepFor(Math.min(POLL_MS, leftMs), { signal: nap.signal }).catch(() => {});
      } finally {
        nap.abort();
        for (const remove of removers) remove();
      }
    }
  };
}

function timedOut(id: number, timeoutMs: number): TimeRingError {
  return new TimeRingError('wait-timeout', `Run ${id} was not over within ${timeoutMs} ms: it goes on`, {
    field: 'timeoutMs',
    value: timeoutMs,
    runId: id,
  });
}
