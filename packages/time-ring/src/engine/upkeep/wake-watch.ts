import { UNOWNED } from '../../model/run.js';
import { EVENTS_WAKE, LISTENERS_WAKE, type WakeUps } from '../../store/wake-ups.js';
import type { RingNode } from '../node/ring-node.js';

/** Receives the wake-ups that other nodes, clients and transactions send to this node. */
export interface WakeWatch {
  /** Connects if not yet connected, and checks from time to time whether wake-ups arrive. Never rejects. */
  look(): void;
  /**
   * Whether wake-ups arrive. A pooler in transaction mode accepts a LISTEN and forwards nothing, so this node must have received its own.
   */
  readonly isLive: boolean;
  stop(): void;
}

/** How often this node wakes itself to check whether the wake-up arrives, and how long it may take. */
const PROBE_MS = 10_000;
const ANSWER_MS = 2_000;

export function createWakeWatch(
  node: RingNode,
  wakeUps: WakeUps | null,
  hear: { mine(): void; unowned(): void; events(): void; listeners(): void },
): WakeWatch {
  let stopListening: (() => void) | null = null;
  let isConnecting = false;
  let isStopped = false;
  let probedMs = Number.NEGATIVE_INFINITY;
  /** Whether a wake-up has arrived since the last probe. */
  let hasHeard = false;
  /** The result of the previous probe. */
  let wasLive = false;

  function onWake(owner: string | null): void {
    if (isStopped) return;
    if (owner === node.owner) hasHeard = true;
    if (owner === node.owner || owner === null) hear.mine();
    if (owner === UNOWNED || owner === null) hear.unowned();
    if (owner === EVENTS_WAKE || owner === null) hear.events();
    if (owner === LISTENERS_WAKE) hear.listeners();
  }

  const isAnswered = () => hasHeard || (wasLive && node.clock.monotonicMs() - probedMs < ANSWER_MS);
  const isLive = () => stopListening !== null && wakeUps!.isConnected && isAnswered();

  async function connect(listening: WakeUps): Promise<void> {
    isConnecting = true;
    try {
      const stop = await listening.listen(onWake);
      if (isStopped) stop();
      else stopListening = stop;
      // Probes at once, so that the result is known from the first pass on, and not from the second.
      if (!isStopped) await probe(listening);
    } catch (error) {
      node.log.warn({ err: error }, 'This node cannot be woken by others now, and looks four times a second instead');
    }
    isConnecting = false;
  }

  async function probe(listening: WakeUps): Promise<void> {
    wasLive = isLive();
    hasHeard = false;
    probedMs = node.clock.monotonicMs();
    await listening.send([node.owner]);
  }

  function look(): void {
    if (wakeUps === null || isStopped || isConnecting || node.clock.monotonicMs() - probedMs < PROBE_MS) return;
    if (stopListening === null) {
      probedMs = node.clock.monotonicMs();
      void connect(wakeUps);
    } else void probe(wakeUps).catch(() => {});
  }

  return {
    look,
    get isLive() {
      return isLive();
    },
    stop() {
      isStopped = true;
      stopListening?.();
      stopListening = null;
    },
  };
}
