import type { EpochMs } from '@horae/clock-store';
import type { AlertDelivery, AlertMessage } from '../model/alert.js';
import type { RunRow } from '../model/run.js';

/** What a message says whichever try it is. */
export type AlertBody = Omit<AlertMessage, 'id' | 'count' | 'at'>;

/** A message to be written. */
export interface NewAlert {
  readonly channel: string;
  readonly dueAt: EpochMs;
  readonly count: number;
  readonly at: EpochMs;
  readonly body: AlertBody;
  /** While a message with this key waits, another one adds its count to it and replaces its body; null: a message of its own. */
  readonly heldKey: string | null;
}

/** A message in the outbox. */
export interface StoredAlert extends Omit<NewAlert, 'heldKey'> {
  readonly id: number;
  readonly tries: number;
  readonly firstTriedAt: EpochMs | null;
}

/** A name that is taken until a time: a quiet time, a lease of a channel, what has been told before. */
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
  /** Messages that wait and those that are over, the newest first, below `beforeId` unless it is null. */
  alertDeliveries(query: {
    state?: AlertDelivery['state'] | undefined;
    beforeId: number | null;
    limit: number;
  }): Promise<readonly AlertDelivery[]>;
  /** Messages to these channels that are due by `until`, by (dueAt, id), at most `limit`. `channels` null: to all. */
  dueAlerts(query: {
    channels: readonly string[] | null;
    until: EpochMs;
    limit: number;
  }): Promise<readonly StoredAlert[]>;
}

/** The outbox of alerts and what is remembered about them. */
export interface AlertVerbs {
  insertAlerts(alerts: readonly NewAlert[]): Promise<void>;
  /** Messages are about to be sent: nothing is added to them from now on, and their first try is noted. */
  beginAlerts(ids: readonly number[], at: EpochMs): Promise<void>;
  /** A try has failed. */
  postponeAlert(id: number, change: { tries: number; dueAt: EpochMs; error: string }): Promise<void>;
  /** Takes a message out of the outbox and keeps what became of it. False: it was not there any more. */
  endAlert(id: number, end: AlertEnd): Promise<boolean>;
  /** Deletes what is kept of messages that ended before. */
  sweepDeliveries(before: EpochMs): Promise<void>;
  /** Removes the messages that are held back under these keys, and gives them. */
  takeHeldAlerts(keys: readonly string[]): Promise<readonly StoredAlert[]>;
  /** The marks that are there, held. */
  holdMarks(names: readonly string[]): Promise<readonly AlertMark[]>;
  /** Writes marks that are not there; the names of those that were written. Waits for whoever is writing the same. */
  addMarks(marks: readonly AlertMark[]): Promise<ReadonlySet<string>>;
  /** Writes marks, over those that are there. */
  putMarks(marks: readonly AlertMark[]): Promise<void>;
  deleteMarks(names: readonly string[]): Promise<void>;
  /** Deletes the marks whose time is over. */
  sweepMarks(before: EpochMs): Promise<void>;
  /** WAITING runs of a job that could have been done by `readyBefore` and have no `waitingMark` for the channel, by id, at most `limit`. */
  longWaitingRuns(query: {
    jobId: number;
    channel: string;
    readyBefore: EpochMs;
    limit: number;
  }): Promise<readonly RunRow[]>;
}

/** The mark of a run of which a channel has been told that it waits. */
export function waitingMark(runId: number, channel: string): string {
  return `waiting:${runId}:${channel}`;
}
