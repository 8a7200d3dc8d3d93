import type { Clock } from '@horae/clock-store';
import type { AlertMessage } from '../../model/alert.js';

/** Sends one message to a channel; resolves when it is delivered. */
export type SendAlert = (message: AlertMessage, options: { signal: AbortSignal }) => unknown | Promise<unknown>;

const TRY_MS = 10_000;

/** Makes one try. A receiver that does not answer in time counts as a failure. */
export async function sendLimited(
  send: SendAlert,
  message: AlertMessage,
  { clock, signal: ended }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ended]);
  const limit = clock.sleepFor(TRY_MS, { signal }).then(
    () => {
      throw new Error(`No answer within ${TRY_MS / 1_000} s`);
    },
    () => {
      throw new Error('The node was stopped');
    },
  );
  try {
    await Promise.race([Promise.resolve().then(() => send(message, { signal })), limit]);
  } finally {
    over.abort();
    limit.catch(() => {});
  }
}
