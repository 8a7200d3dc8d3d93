import type { Clock } from '@horae/clock-store';
import { sendLimited } from '../engine/alerts/send-alert.js';
import type { AlertChannel } from '../model/alert.js';
import { createAlertSenders } from './alert-senders.js';

/** Sends one message that says it is a test, past the outbox: whoever tries a channel wants to know at once. */
export async function testAlert(
  channel: AlertChannel,
  { clock, nodeId, channel: name }: { clock: Clock; nodeId: string; channel: string },
): Promise<void> {
  const send = createAlertSenders({ [name]: channel }, clock).get(name)!;
  const text = `This is a test of the channel "${name}"; nothing has happened`;
  const message = { id: 0, on: 'test', count: 1, at: clock.now(), text, nodeId, job: null, run: null } as const;
  await sendLimited(send, message, { clock, signal: new AbortController().signal });
}
