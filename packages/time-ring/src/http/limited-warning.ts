import type { Clock } from '@horae/clock-store';
import type { Logger } from '../model/logger.js';

const EVERY_MS = 10_000;

/** Logs a warning, at most one line per 10 s; `more` says how many were left out since the last line. */
export type LimitedWarning = (facts: object, message: string) => void;

/** Limits how often the behaviour of callers is logged. */
export function createLimitedWarning(clock: Clock, log: Logger): LimitedWarning {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let more = 0;
  return (facts, message) => {
    const atMs = clock.monotonicMs();
    if (atMs - loggedAtMs < EVERY_MS) {
      more += 1;
      return;
    }
    log.warn({ ...facts, more }, message);
    loggedAtMs = atMs;
    more = 0;
  };
}
