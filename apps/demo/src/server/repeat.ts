import type { Clock } from 'horae/time';

/** Calls `work` every `ms` until the signal is aborted. A failing call is reported and does not end the repetition. */
export async function repeat(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: () => unknown,
  onFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleepFor(ms, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      onFailure(error);
    }
  }
}
