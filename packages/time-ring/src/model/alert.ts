import type { EpochMs } from '@horae/clock-store';

/** Every `AlertCause`. */
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

/** The cause of an alert. */
export type AlertCause = (typeof alertCauses)[number];

/** Sends alerts about one cause to a channel. The rules of a job, of its group and of the ring's options all apply. */
export interface AlertRule {
  on: AlertCause;
  /** 'late': how long after its time a run starts (`misfireMs`); 'run-waiting': how long a run has waited (60,000). Unused by others. */
  afterMs?: number;
  /** The name of a channel. A node without this channel leaves the message to nodes that have it. */
  channel: string;
}

/** The message that a channel receives. */
export interface AlertMessage {
  /** The same for every try: the receiver's idempotency key. 0 for a test, which is tried once. */
  id: number;
  /** 'test': a trial of the channel; nothing has happened. */
  on: AlertCause | 'test';
  /** How often it happened since the previous message. */
  count: number;
  /** The time of the first occurrence that `count` includes. */
  at: EpochMs;
  /** One line for people, with the name of the job or the node. */
  text: string;
  /** The node that recorded the cause; another node may deliver the message. */
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

/** The message formats that a webhook can write. */
export const webhookFormats = ['json', 'slack', 'dingtalk', 'wecom', 'feishu', 'teams'] as const;
/** The message format that a webhook writes. */
export type WebhookFormat = (typeof webhookFormats)[number];

/** A destination of alert messages. */
export type AlertChannel =
  | {
      kind: 'webhook';
      url: string;
      /** Signs each message, so that the receiver can verify its origin. */
      secret?: string;
      format?: WebhookFormat;
    }
  | {
      kind: 'email';
      /** A URL such as `smtp://user:password@host:587`, or the options of nodemailer's `createTransport`. */
      smtp: string | object;
      to: string | readonly string[];
      /** `horae@localhost` by default. */
      from?: string;
    }
  | { kind: 'function'; send(message: AlertMessage): unknown | Promise<unknown> };

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;

/** A message and the state of its delivery. */
export interface AlertDelivery {
  channel: string;
  message: AlertMessage;
  /** `failed`: no further tries are made. */
  state: (typeof deliveryStates)[number];
  /** The number of tries so far. */
  tries: number;
  /** The time of the next try; null once the delivery is over. */
  dueAt: EpochMs | null;
  endedAt: EpochMs | null;
  /** Why the last try failed; null when it did not. */
  error: string | null;
}

/** The outcome of a message. */
export interface AlertEvent {
  channel: string;
  message: AlertMessage;
  error?: unknown;
}
