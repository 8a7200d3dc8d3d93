/** Instead of an owner: there are new events, or somebody has begun to listen to those of all nodes. */
export const EVENTS_WAKE = 'events';
export const LISTENERS_WAKE = 'listeners';

/** How nodes wake each other where the database carries messages between processes. */
export interface WakeUps {
  /** Whether the connection that listens is there now. */
  readonly isConnected: boolean;
  /** Calls `onWake` with the owner that is woken, `UNOWNED` for all nodes, one of the words above, or null after an outage: what was sent meanwhile is gone. */
  listen(onWake: (owner: string | null) => void): Promise<() => void>;
  /** Wakes nodes outside of a transaction. */
  send(owners: readonly string[]): Promise<void>;
}
