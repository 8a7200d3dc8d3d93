import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, type Query, Refused } from './api.js';

/** What was asked, as far as it has come. */
export interface Asked<T> {
  readonly data: T | null;
  readonly problem: string | null;
  /** Asks again; what is there stays until the answer has come. */
  again(): void;
}

/** Asks when it is drawn first and when the question changes; a path of null asks nothing. */
export function useAsk<T>(path: string | null, query: Query = {}): Asked<T> {
  const key = path === null ? null : JSON.stringify([path, query]);
  const [found, setFound] = useState<{ key: string | null; data: T | null; problem: string | null }>({
    ...{ key: null, data: null, problem: null },
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    let isCurrent = true;
    ask<T>(path, query).then(
      (data) => isCurrent && setFound({ key, data, problem: null }),
      (error) =>
        isCurrent &&
        setFound((before) => ({ key, data: before.key === key ? before.data : null, problem: problemOf(error) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  return { data: found.key === key ? found.data : null, problem: found.problem, again };
}

export function problemOf(error: unknown): string {
  return error instanceof Refused || error instanceof Error ? error.message : String(error);
}
