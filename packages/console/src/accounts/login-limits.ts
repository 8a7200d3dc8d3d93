import type { Clock } from '@horae/clock-store';

/** Counts failed logins and limits them. */
export interface LoginLimits {
  /** How long a caller has to wait before the next attempt; 0: not at all. */
  waitMs(keys: readonly string[]): number;
  failed(keys: readonly string[]): void;
  succeeded(keys: readonly string[]): void;
}

const WINDOW_MS = 15 * 60_000;
/** Many people may come from one address, that of a proxy for example. */
const maxFailures = (key: string) => (key.startsWith('from ') ? 64 : 8);
/** Beyond this number the oldest are dropped. */
const MAX_KEYS = 10_000;

/** Eight failures per name and 64 per address within a quarter of an hour; then no login with it succeeds until that time is over. */
export function createLoginLimits(clock: Clock): LoginLimits {
  const failures = new Map<string, { count: number; since: number }>();
  const current = (key: string) => {
    const found = failures.get(key);
    if (found !== undefined && clock.monotonicMs() - found.since < WINDOW_MS) return found;
    failures.delete(key);
    return undefined;
  };
  return {
    waitMs(keys) {
      const waits = keys.map((key) => {
        const found = current(key);
        return found === undefined || found.count < maxFailures(key)
          ? 0
          : found.since + WINDOW_MS - clock.monotonicMs();
      });
      return Math.max(0, ...waits);
    },
    failed(keys) {
      for (const key of keys) {
        const { count, since } = current(key) ?? { count: 0, since: clock.monotonicMs() };
        failures.set(key, { count: count + 1, since });
        if (failures.size > MAX_KEYS) failures.delete(failures.keys().next().value!);
      }
    },
    succeeded(keys) {
      for (const key of keys) failures.delete(key);
    },
  };
}
