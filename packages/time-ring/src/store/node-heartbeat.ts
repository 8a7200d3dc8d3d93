import type { EpochMs } from '@horae/clock-store';

/** A node's heartbeat. */
export interface NodeHeartbeat {
  readonly owner: string;
  readonly nodeId: string;
  readonly beatAt: EpochMs;
  /** The node has a listener to the events of all nodes. */
  readonly listens?: boolean;
}
