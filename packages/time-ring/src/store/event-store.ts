import type { EpochMs } from '@horae/clock-store';

/** An event that a node shares with the others. */
export interface StoredEvent {
  /** Of the node that tells it. */
  readonly owner: string;
  /** Counts the events of the node: 1, 2, 3 … */
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
  /** The events after the cursors that did not happen before `since`, by (owner, sequence), at most `limit`. Nodes without a cursor are left out. */
  eventsAfter(query: {
    cursors: readonly EventCursor[];
    since: EpochMs;
    limit: number;
  }): Promise<readonly StoredEvent[]>;
}

/** The events that nodes share while somebody listens to all of them. */
export interface EventVerbs {
  /** Those that are there already, as after a commit whose answer was lost, stay as they are. */
  insertEvents(events: readonly StoredEvent[]): Promise<void>;
  /** Deletes the events of `owner`, null: of all nodes, that happened before. */
  deleteEvents(query: { owner: string | null; before: EpochMs }): Promise<void>;
}
