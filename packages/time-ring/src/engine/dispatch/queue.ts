import type { RingMetrics } from '../../model/events.js';
import type { ActiveRun } from '../node/active-run.js';
import type { RingNode } from '../node/ring-node.js';
import type { Dispatcher } from './dispatcher.js';
import { createTriggerPool, type TriggerPool } from './pool.js';
import { createPoolHistory } from './pool-history.js';

type PoolName = 'fast' | 'slow';

/** Queues runs for dispatch: two pools, and the overflow of runs that were claimed before the pools were full. */
export interface TriggerQueue {
  enqueue(runs: readonly ActiveRun[]): void;
  /** How many more runs may be claimed now. */
  readonly room: number;
  readonly pools: RingMetrics['pools'];
  /** Calls `relieved` once, as soon as half of the room is free. The same function is registered only once. */
  whenRoomy(relieved: () => void): void;
  /** Called when there may be more room than before. */
  relieve(): void;
  /** Removes and returns every run whose trigger has not begun. */
  clear(): ActiveRun[];
  idle(): Promise<void>;
}

export function createTriggerQueue(
  node: RingNode,
  dispatcher: Pick<Dispatcher, 'trigger' | 'unwritten' | 'onWritten'>,
): TriggerQueue {
  const { pools: limits } = node.options;
  const history = createPoolHistory(limits);
  const overflow: Record<PoolName, ActiveRun[]> = { fast: [], slow: [] };
  const pools: Record<PoolName, TriggerPool<ActiveRun>> = { fast: createPool('fast'), slow: createPool('slow') };

  function createPool(name: PoolName): TriggerPool<ActiveRun> {
    const onRoom = () => {
      const waiting = overflow[name];
      let taken = 0;
      while (taken < waiting.length && pools[name].offer(waiting[taken]!)) taken += 1;
      if (taken > 0) overflow[name] = waiting.slice(taken);
      relieve();
    };
    return createTriggerPool({ ...limits[name], work: timed, onRoom });
  }

  const enough = Math.ceil((limits.fast.size + limits.fast.queue) / 2);
  let relieved: Set<() => void> = new Set();

  function roomNow(): number {
    // Slow jobs must not starve the fast ones, so a full slow pool stops claiming only when as many again wait for it.
    if (overflow.fast.length > 0 || overflow.slow.length > limits.slow.queue) return 0;
    return pools.fast.free - dispatcher.unwritten;
  }

  function relieve(): void {
    if (relieved.size === 0 || roomNow() < enough) return;
    const called = relieved;
    relieved = new Set();
    for (const tell of called) tell();
  }

  function timed(run: ActiveRun, done: () => void): void {
    const began = node.clock.monotonicMs();
    dispatcher.trigger(run, () => {
      history.note(run.job.id, node.time.now(), node.clock.monotonicMs() - began);
      done();
    });
  }

  function enqueue(runs: readonly ActiveRun[]): void {
    const now = node.time.now();
    for (const run of runs) {
      const name = history.choose(run.job.id, now);
      // No run overtakes those that wait for room.
      if (overflow[name].length === 0 && pools[name].offer(run)) continue;
      overflow[name].push(run);
      if (overflow[name].length === 1) {
        node.emitter.emit('pool-filled', { pool: name, queued: pools[name].queued });
      }
    }
  }

  dispatcher.onWritten(relieve);
  return {
    enqueue,
    get room() {
      return roomNow();
    },
    whenRoomy(tell) {
      relieved.add(tell);
      relieve();
    },
    relieve,
    get pools() {
      const { fast, slow } = pools;
      return {
        fast: { running: fast.running, queued: fast.queued },
        slow: { running: slow.running, queued: slow.queued },
      };
    },
    clear() {
      const waiting = [...overflow.fast, ...overflow.slow];
      overflow.fast = [];
      overflow.slow = [];
      return [...pools.fast.clear(), ...pools.slow.clear(), ...waiting];
    },
    async idle() {
      await Promise.all([pools.fast.idle(), pools.slow.idle()]);
    },
  };
}
