import type { EpochMs } from '@horae/clock-store';
import type { AlertDelivery, AlertMessage } from '../model/alert.js';
import type { RunRow } from '../model/run.js';

/** The part of a message that is the same for every try. */
export type AlertBody = Omit<AlertMessage, 'id' | 'count' | 'at'>;

/** A message to be written. */
export interface NewAlert {
  readonly channel: string;
  readonly dueAt: EpochMs;
  readonly count: number;
  readonly at: EpochMs;
  readonly body: AlertBody;
  /** While a message with this key waits, a further one adds its count to it and replaces its body; null: always a separate message. */
  readonly heldKey: string | null;
}

/** A message in the outbox. */
export interface StoredAlert extends Omit<NewAlert, 'heldKey'> {
  readonly id: number;
  readonly tries: number;
  readonly firstTriedAt: EpochMs | null;
}

/** A name that is taken until a given time: a quiet time, the lease of a channel, or an alert already sent. */
export interface AlertMark {
  readonly name: string;
  readonly owner: string;
  readonly until: EpochMs;
}

/** How the tries of a message ended. */
export interface AlertEnd {
  readonly state: 'sent' | 'failed';
  readonly tries: number;
  readonly at: EpochMs;
  readonly error: string | null;
}

export interface AlertReads {
  /** Waiting and ended messages, newest first, below `beforeId` unless it is null. */
  alertDeliveries(query: {
    state?: AlertDelivery['state'] | undefined;
    beforeId: number | null;
    limit: number;
  }): Promise<readonly AlertDelivery[]>;
  /** Messages to these channels that are due by `until`, by (dueAt, id), at most `limit`. `channels` null: all channels. */
  dueAlerts(query: {
    channels: readonly string[] | null;
    until: EpochMs;
    limit: number;
  }): Promise<readonly StoredAlert[]>;
}

/** The outbox of alerts, their outcomes and their marks. */
export interface AlertVerbs {
  insertAlerts(alerts: readonly NewAlert[]): Promise<void>;
  /** Records the first try of messages about to be sent; from now on nothing is added to them. */
  beginAlerts(ids: readonly number[], at: EpochMs): Promise<void>;
  /** Records a failed try. */
  postponeAlert(id: number, change: { tries: number; dueAt: EpochMs; error: string }): Promise<void>;
  /** Moves a message from the outbox to the ended ones, with its outcome. False: it was no longer in the outbox. */
  endAlert(id: number, end: AlertEnd): Promise<boolean>;
  /** Deletes the records of messages that ended before this time. */
  sweepDeliveries(before: EpochMs): Promise<void>;
  /** Removes the messages held back under these keys, and returns them. */
  takeHeldAlerts(keys: readonly string[]): Promise<readonly StoredAlert[]>;
  /** The existing marks among these names, locked. */
  holdMarks(names: readonly string[]): Promise<readonly AlertMark[]>;
  /** Writes the marks that do not exist and returns their names. Waits for transactions that are writing the same marks. */
  addMarks(marks: readonly AlertMark[]): Promise<ReadonlySet<string>>;
  /** Writes marks, replacing existing ones. */
  putMarks(marks: readonly AlertMark[]): Promise<void>;
  deleteMarks(names: readonly string[]): Promise<void>;
  /** Deletes expired marks. */
  sweepMarks(before: EpochMs): Promise<void>;
  /** WAITING runs of a job that were ready by `readyBefore` and have no `waitingMark` for the channel, by id, at most `limit`. */
  longWaitingRuns(query: {
    jobId: number;
    channel: string;
    readyBefore: EpochMs;
    limit: number;
  }): Promise<readonly RunRow[]>;
}

/** The name of the mark of a waiting run that was reported to a channel. */
export function waitingMark(runId: number, channel: string): string {
  return `waiting:${runId}:${channel}`;
}
