/** How nodes wake each other where the database carries messages between processes. */
export interface WakeUps {
  /** Whether the connection that listens is there now. */
  readonly isConnected: boolean;
  /** Calls `onWake` with the owner that is woken, `UNOWNED` for all nodes, null after an outage: what was sent meanwhile is gone. */
  listen(onWake: (owner: string | null) => void): Promise<() => void>;
  /** Wakes nodes outside of a transaction. */
  send(owners: readonly string[]): Promise<void>;
}
