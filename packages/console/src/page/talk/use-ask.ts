import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, type Query, Refused } from './api.js';

/** A request and its answer so far. */
export interface Asked<T> {
  readonly data: T | null;
  readonly problem: string | null;
  /** Requests again; the present answer stays until the new one has come. */
  again(): void;
}

/** Requests at the first rendering and when the request changes; with a path of null nothing is requested. */
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
