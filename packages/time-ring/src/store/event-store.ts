import type { EpochMs } from '@horae/clock-store';

/** An event that a node shares with the others. */
export interface StoredEvent {
  /** The owner id of the node that emitted it. */
  readonly owner: string;
  /** The number of the event on its node: 1, 2, 3 … */
  readonly sequence: number;
  readonly nodeId: string;
  readonly at: EpochMs;
  readonly name: string;
  readonly event: unknown;
}

/** How far the events of a node have been read. */
export interface EventCursor {
  readonly owner: string;
  readonly sequence: number;
}

export interface EventReads {
  /** The events after the cursors, from `since` on, by (owner, sequence), at most `limit`. Nodes without a cursor are left out. */
  eventsAfter(query: {
    cursors: readonly EventCursor[];
    since: EpochMs;
    limit: number;
  }): Promise<readonly StoredEvent[]>;
}

/** The events that nodes share while any node listens to all of them. */
export interface EventVerbs {
  /** Inserts events; existing ones, as after a commit whose answer was lost, are left unchanged. */
  insertEvents(events: readonly StoredEvent[]): Promise<void>;
  /** Deletes the events of `owner` (null: of all nodes) from before a time. */
  deleteEvents(query: { owner: string | null; before: EpochMs }): Promise<void>;
}
