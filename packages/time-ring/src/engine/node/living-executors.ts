import type { EpochMs } from '@horae/clock-store';
import type { ExecutorInfo } from '../../model/events.js';
import type { RegisteredExecutor } from '../../store/job-store.js';
import type { Liveness } from './liveness.js';

/** A remote executor is alive for this long after a heartbeat: three intervals of 30 s. */
export const ALIVE_MS = 90_000;

/** The live executors: remote ones by their heartbeat, local ones as long as their node lives. */
export function livingExecutors(
  executors: readonly RegisteredExecutor[],
  liveness: Liveness,
  now: EpochMs,
): readonly RegisteredExecutor[] {
  return executors.filter(({ nodeOwner, nodeId, beatAt }) =>
    nodeOwner === null
      ? now - beatAt <= ALIVE_MS
      : !liveness.isDead({ owner: nodeOwner, nodeId: nodeId ?? '', beatAt }, now),
  );
}

/** The public form of an executor. */
export function executorInfo(
  { group, address, registeredAt, beatAt, nodeOwner, nodeId, handlers }: RegisteredExecutor,
  breakerOf: (address: string) => ExecutorInfo['breaker'],
): ExecutorInfo {
  const kind = nodeOwner === null ? 'remote' : 'local';
  const breaker = nodeOwner === null ? breakerOf(address) : 'closed';
  return { group, address, kind, registeredAt, beatAt, breaker, handlers, nodeId };
}
