import { type Clock, type Emitter, retryUntilAborted } from '@horae/clock-store';
import type { AlertMessage } from '../../model/alert.js';
import type { RingEvents } from '../../model/events.js';
import type { Logger } from '../../model/logger.js';
import type { StoredAlert } from '../../store/alert-store.js';
import type { Glance } from '../../store/glance.js';
import type { JobStore } from '../../store/job-store.js';
import { type SendAlert, sendLimited } from './send-alert.js';

/** Delivers the messages of the whole ring to the channels that this node has. */
export interface AlertOutbox {
  /**
   * Checks for due messages, and renews the leases of the channels while messages are being sent. Called once per second. Never rejects.
   */
  look(glance?: Pick<Glance, 'hasDueAlerts'> | null): Promise<void>;
  /** Checks now. */
  wake(): void;
  /** Sends no further messages and waits for those being sent. */
  stop(): Promise<void>;
  /** Aborts the messages being sent. */
  abandon(): void;
}

export interface OutboxParts {
  readonly owner: string;
  readonly store: JobStore;
  readonly time: { now(): number };
  readonly clock: Clock;
  readonly log: Logger;
  readonly emitter: Emitter<RingEvents>;
  readonly leaseMs: number;
  readonly senders: ReadonlyMap<string, SendAlert>;
}

const MAX_ALERTS_PER_LOOK = 50;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 600_000;
const GIVE_UP_MS = 86_400_000;
const PAUSE_MS = 1_000;
const SWEEP_MS = 60_000;
/** How long the outcomes of messages are kept. */
const KEEP_MS = 30 * 86_400_000;

/** How long a message waits for its next try. */
export function retryPauseMs(tries: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 30));
}

/**
 * One node at a time serves a channel: it takes the channel's lease, sends the due messages in order and removes the delivered ones. A node
 * that dies leaves its messages in place, and the next node takes the lease when it has expired.
 */
export function createAlertOutbox(parts: OutboxParts): AlertOutbox {
  const { owner, store, time, clock, log, senders } = parts;
  const channels = [...senders.keys()];
  const abandoned = new AbortController();
  let isStopped = false;
  let sending: Promise<void> | null = null;
  let isOwed = false;
  let leased: { channels: readonly string[]; untilMs: number } = { channels: [], untilMs: 0 };
  let sweptMs = clock.monotonicMs();

  /** Takes the free leases of the channels, and returns the messages to the channels that this node has. */
  async function take(wanted: readonly string[]): Promise<readonly StoredAlert[]> {
    const beganMs = clock.monotonicMs();
    const now = time.now();
    const until = now + parts.leaseMs;
    return store.transaction(async (trx) => {
      const marks = new Map((await trx.holdMarks(wanted.map(leaseMark))).map((mark) => [mark.name, mark]));
      const missing = wanted.filter((channel) => !marks.has(leaseMark(channel)));
      const added = await trx.addMarks(missing.map((channel) => ({ name: leaseMark(channel), owner, until })));
      const free = wanted.filter((channel) => {
        const mark = marks.get(leaseMark(channel));
        return mark !== undefined && (mark.owner === owner || mark.until < now);
      });
      if (free.length > 0) await trx.putMarks(free.map((channel) => ({ name: leaseMark(channel), owner, until })));
      const mine = [...free, ...missing.filter((channel) => added.has(leaseMark(channel)))];
      leased = { channels: mine, untilMs: beganMs + parts.leaseMs };
      const due = await trx.dueAlerts({ channels: mine, until: now, limit: MAX_ALERTS_PER_LOOK });
      await trx.beginAlerts(
        due.map(({ id }) => id),
        now,
      );
      return due;
    });
  }

  async function renew(): Promise<void> {
    const beganMs = clock.monotonicMs();
    const until = time.now() + parts.leaseMs;
    await store.transaction(async (trx) => {
      const marks = await trx.holdMarks(leased.channels.map(leaseMark));
      const isMine = marks.every((mark) => mark.owner === owner);
      if (isMine) await trx.putMarks(leased.channels.map((channel) => ({ name: leaseMark(channel), owner, until })));
      leased = { ...leased, untilMs: isMine ? beganMs + parts.leaseMs : 0 };
    });
  }

  async function work(): Promise<void> {
    do {
      isOwed = false;
      const due = await store.dueAlerts({ channels, until: time.now(), limit: MAX_ALERTS_PER_LOOK });
      if (due.length === 0) break;
      const taken = await take([...new Set(due.map(({ channel }) => channel))]);
      if (taken.length === 0) break;
      isOwed = taken.length === MAX_ALERTS_PER_LOOK;
      await Promise.all(
        channels.map(async (channel) => {
          for (const alert of taken) if (alert.channel === channel) await deliver(alert);
        }),
      );
    } while (isOwed && !isStopped);
  }

  async function deliver(alert: StoredAlert): Promise<void> {
    // Another node may have the channel by now and finds the remaining messages.
    if (isStopped || clock.monotonicMs() >= leased.untilMs) return;
    const message: AlertMessage = { ...alert.body, id: alert.id, count: alert.count, at: alert.at };
    try {
      await sendLimited(senders.get(alert.channel)!, message, { clock, signal: abandoned.signal });
    } catch (error) {
      await failed(alert, message, error);
      return;
    }
    const end = { state: 'sent', tries: alert.tries + 1, at: time.now(), error: null } as const;
    await write((trx) => trx.endAlert(alert.id, end));
    log.info(factsOf(message, alert.channel), `Alert sent: ${message.text}`);
    parts.emitter.emit('alert-sent', { channel: alert.channel, message });
  }

  async function failed(alert: StoredAlert, message: AlertMessage, error: unknown): Promise<void> {
    const now = time.now();
    const tries = alert.tries + 1;
    const facts = { ...factsOf(message, alert.channel), tries, err: errorOf(error) };
    if (now - (alert.firstTriedAt ?? now) >= GIVE_UP_MS) {
      await giveUp(alert, message, error);
      return;
    }
    const dueAt = now + retryPauseMs(tries);
    await write((trx) => trx.postponeAlert(alert.id, { tries, dueAt, error: errorOf(error).message }));
    log.warn(facts, `An alert could not be sent and is tried again in ${retryPauseMs(tries) / 1_000} s`);
  }

  async function giveUp(alert: StoredAlert, message: AlertMessage, error: unknown): Promise<void> {
    // A message to a channel that no node had was never tried.
    const tries = alert.tries + (senders.has(alert.channel) ? 1 : 0);
    const end = { state: 'failed', tries, at: time.now(), error: errorOf(error).message } as const;
    if (!(await write((trx) => trx.endAlert(alert.id, end)))) return;
    log.error({ ...factsOf(message, alert.channel), err: errorOf(error) }, `Alert given up: ${message.text}`);
    parts.emitter.emit('alert-failed', { channel: alert.channel, message, error });
  }

  /** Waits while the database is lost: a delivered message must not be sent again. */
  function write<T>(change: (trx: Parameters<Parameters<JobStore['transaction']>[0]>[0]) => Promise<T>): Promise<T> {
    const onFailure = (err: unknown) => log.warn({ err }, 'What became of an alert could not be written; trying again');
    return retryUntilAborted(() => store.transaction(change), {
      ...{ clock, pauseMs: PAUSE_MS, signal: abandoned.signal, onFailure },
    });
  }

  /** Fails messages to channels that no node has had for a day, and removes expired marks. */
  async function sweep(): Promise<void> {
    if (clock.monotonicMs() - sweptMs < SWEEP_MS) return;
    sweptMs = clock.monotonicMs();
    const now = time.now();
    await store.transaction(async (trx) => {
      await trx.sweepMarks(now);
      await trx.sweepDeliveries(now - KEEP_MS);
    });
    const until = now - GIVE_UP_MS;
    for (const alert of await store.dueAlerts({ channels: null, until, limit: MAX_ALERTS_PER_LOOK })) {
      if (senders.has(alert.channel)) continue;
      const message = { ...alert.body, id: alert.id, count: alert.count, at: alert.at };
      await giveUp(alert, message, new Error(`No node has the channel "${alert.channel}"`));
    }
  }

  function begin(): void {
    sending = work()
      .catch((error: unknown) => log.warn({ err: error }, 'Alerts could not be read; the next look tries again'))
      .finally(() => {
        sending = null;
        if (isOwed && !isStopped) begin();
      });
  }

  async function keepUp(hasDue: boolean): Promise<void> {
    if (channels.length > 0 && !isStopped) {
      if (sending === null && hasDue) begin();
      else if (sending !== null && leased.untilMs > 0) await renew();
    }
    await sweep();
  }

  return {
    async look(glance) {
      await keepUp(glance?.hasDueAlerts ?? true).catch((error: unknown) =>
        log.warn({ err: error }, 'The outbox of alerts could not be kept'),
      );
    },
    wake() {
      if (sending !== null) isOwed = true;
      else if (channels.length > 0 && !isStopped) begin();
    },
    async stop() {
      isStopped = true;
      await sending?.catch(() => {});
      if (leased.channels.length === 0) return;
      const names = leased.channels.map(leaseMark);
      leased = { channels: [], untilMs: 0 };
      await store.transaction(async (trx) => {
        const mine = (await trx.holdMarks(names)).filter((mark) => mark.owner === owner);
        await trx.deleteMarks(mine.map(({ name }) => name));
      });
    },
    abandon: () => abandoned.abort(),
  };
}

function leaseMark(channel: string): string {
  return `outbox:${channel}`;
}

function factsOf({ id, on, job, run, nodeId }: AlertMessage, channel: string): object {
  return {
    ...{ alertId: id, on, channel, nodeId },
    ...(job === null ? {} : { jobId: job.id, jobKey: job.key }),
    ...(run === null ? {} : { runId: run.id, attempt: run.attempt }),
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
