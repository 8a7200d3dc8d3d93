import type { EpochMs } from '@horae/clock-store';

/** What an alert can be about. */
export const alertCauses = [
  'fire-failed',
  'fire-recovered',
  'misfire',
  'late',
  'run-waiting',
  'executor-lost',
  'node-lost',
  'pass-failed',
] as const;

/** What people can be alerted to. */
export type AlertCause = (typeof alertCauses)[number];

/** Sends what happened to a channel. Rules of a job, of its group and of the ring's options add up. */
export interface AlertRule {
  on: AlertCause;
  /** 'late': how long after its time a run starts (`misfireMs`); 'run-waiting': how long a run has waited (60,000). Others do not use it. */
  afterMs?: number;
  /** The name of a channel. A node that does not have it leaves the message to those that do. */
  channel: string;
}

/** What a channel gets. */
export interface AlertMessage {
  /** The same at every try: the receiver's idempotency key. 0 for a test, which is tried once. */
  id: number;
  /** 'test': nothing has happened, somebody tries the channel. */
  on: AlertCause | 'test';
  /** How often it happened since the message before. */
  count: number;
  /** Of the first that it counts. */
  at: EpochMs;
  /** One line for people, with the name of the job or the node. */
  text: string;
  /** The node that recorded the cause, whichever delivers the message. */
  nodeId: string;
  job: { id: number; key: string | null; name: string } | null;
  run: {
    id: number;
    fireId: number;
    attempt: number;
    scheduleTime: EpochMs | null;
    message: string | null;
  } | null;
}

/** The services whose messages a webhook can write. */
export const webhookFormats = ['json', 'slack', 'dingtalk', 'wecom', 'feishu', 'teams'] as const;
/** The service whose messages a webhook writes. */
export type WebhookFormat = (typeof webhookFormats)[number];

/** Where messages go. */
export type AlertChannel =
  | {
      kind: 'webhook';
      url: string;
      /** Signs each message, so that the receiver knows whose it is. */
      secret?: string;
      format?: WebhookFormat;
    }
  | {
      kind: 'email';
      /** A URL such as `smtp://user:password@host:587`, or what nodemailer's `createTransport` takes. */
      smtp: string | object;
      to: string | readonly string[];
      /** `horae@localhost` by default. */
      from?: string;
    }
  | { kind: 'function'; send(message: AlertMessage): unknown | Promise<unknown> };

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;

/** A message and what has become of it so far. */
export interface AlertDelivery {
  channel: string;
  message: AlertMessage;
  /** `failed`: given up. */
  state: (typeof deliveryStates)[number];
  /** Tries so far. */
  tries: number;
  /** Of the next try; null once it is over. */
  dueAt: EpochMs | null;
  endedAt: EpochMs | null;
  /** What the last try failed of; null when it did not. */
  error: string | null;
}

/** What became of a message. */
export interface AlertEvent {
  channel: string;
  message: AlertMessage;
  error?: unknown;
}
