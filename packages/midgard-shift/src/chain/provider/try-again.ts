import { type Clock, systemClock } from '@horae/clock-store';
import { checkedInteger } from '../../state/midgard-input-error.js';
import type { Calls } from './chain-provider.js';
import { ChainProviderError } from './provider-error.js';

/** The longest pause between two tries. */
const MAX_PAUSE_MS = 30_000;

/** `Calls` with everything decided. */
export interface CallTerms {
  readonly retries: number;
  readonly backoffMs: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** The outcome of one try. */
export type Attempt<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** `arrived: false` only when the request certainly did nothing. */
  | { readonly kind: 'failed'; readonly why: string; readonly status?: number; readonly arrived: boolean };

/** Checks the options and fills in the defaults. */
export function callTermsOf({
  retries = 3,
  backoffMs = 250,
  timeoutMs = 10_000,
  clock = systemClock(),
}: Calls): CallTerms {
  checkedInteger('retries', retries, 0);
  checkedInteger('backoffMs', backoffMs, 0);
  checkedInteger('timeoutMs', timeoutMs, 1);
  return { retries, backoffMs, timeoutMs, clock };
}

/**
 * Tries until there is an answer, with pauses that double. With `mayRepeat: false` a request that may have arrived is not sent again.
 * Rejects with `provider-unreachable` when no try is left.
 */
export async function tryAgain<Answer>(
  provider: string,
  { retries, backoffMs, clock }: CallTerms,
  mayRepeat: boolean,
  attempt: () => Promise<Attempt<Answer>>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const result = await attempt();
    if (result.kind === 'answer') return result.answer;
    if (tries > retries || (result.arrived && !mayRepeat)) {
      const { status } = result;
      const fate = mayRepeat || !result.arrived ? '' : '; the transaction may have arrived';
      const message = `${result.why} (${tries === 1 ? '1 try' : `${tries} tries`})${fate}`;
      throw new ChainProviderError('provider-unreachable', message, {
        provider,
        ...(status === undefined ? {} : { status }),
      });
    }
    await clock.sleepFor(Math.min(MAX_PAUSE_MS, backoffMs * 2 ** (tries - 1)));
  }
}

/** The result of `work`, or null when it takes longer than `timeoutMs`; its signal is aborted then. */
export async function withinTime<Result>(
  { clock, timeoutMs }: CallTerms,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const [working, waiting] = [new AbortController(), new AbortController()];
  const limit = clock.sleepFor(timeoutMs, { signal: waiting.signal }).then(
    () => {
      working.abort();
      return null;
    },
    () => null,
  );
  try {
    const result = work(working.signal);
    // After a timeout its result is no longer awaited.
    result.catch(() => {});
    return await Promise.race([result, limit]);
  } finally {
    waiting.abort();
  }
}
