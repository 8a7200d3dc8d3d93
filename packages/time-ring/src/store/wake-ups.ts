/** Sent in place of an owner: there are new events, or a node has begun to listen to the events of all nodes. */
export const EVENTS_WAKE = 'events';
export const LISTENERS_WAKE = 'listeners';

/** How nodes wake each other where the database carries messages between processes. */
export interface WakeUps {
  /** Whether the listening connection is open now. */
  readonly isConnected: boolean;
  /**
   * Calls `onWake` with the owner to wake, `UNOWNED` for all nodes, one of the words above, or null after an outage: what was sent during
   * it is lost.
   */
  listen(onWake: (owner: string | null) => void): Promise<() => void>;
  /** Wakes nodes outside a transaction. */
  send(owners: readonly string[]): Promise<void>;
}
