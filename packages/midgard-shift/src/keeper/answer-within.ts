import { type Clock, HoraeError } from '@horae/clock-store';

/** A provider did not answer in time. Whether it carried out the request is unknown. */
export class ChainTimeoutError extends HoraeError<{ call: string; limitMs: number }> {
  readonly code = 'chain-timeout';
}

/** The result of `ask`; rejects with `ChainTimeoutError` after `limitMs`, and with the signal's reason when that comes first. */
export async function answerWithin<Answer>(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  call: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const waiting = new AbortController();
  const onStop = () => waiting.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', onStop, { once: true });
  const limit = clock.sleepFor(limitMs, { signal: waiting.signal }).then(() => {
    throw new ChainTimeoutError(`The chain did not answer ${call} within ${limitMs} ms`, { call, limitMs });
  });
  try {
    return await Promise.race([ask(), limit]);
  } finally {
    signal.removeEventListener('abort', onStop);
    waiting.abort();
  }
}
