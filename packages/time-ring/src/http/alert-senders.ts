import type { Clock } from '@horae/clock-store';
import type { SendAlert } from '../engine/alerts/send-alert.js';
import type { AlertChannel } from '../model/alert.js';
import { emailSender } from './alert-email.js';
import { webhookSender } from './alert-webhook.js';

/** The senders for the channels of a node, by name. */
export function createAlertSenders(
  channels: Readonly<Record<string, AlertChannel>>,
  clock: Clock,
): ReadonlyMap<string, SendAlert> {
  return new Map(Object.entries(channels).map(([name, channel]) => [name, senderOf(channel, clock)]));
}

function senderOf(channel: AlertChannel, clock: Clock): SendAlert {
  if (channel.kind === 'webhook') return webhookSender(channel, clock);
  if (channel.kind === 'email') return emailSender(channel);
  return (message) => channel.send(message);
}
