import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Query } from './api.js';
import { problemOf } from './use-ask.js';

interface Pages<T> {
  /** Null until the first page has come. */
  readonly items: readonly T[] | null;
  readonly problem: string | null;
  /** Null when there is nothing more. */
  readonly more: (() => Promise<void>) | null;
  /** Reads the first page again, which brings what is new. */
  readonly again: () => void;
}

const TYPING_MS = 200;

/** A list that comes page by page. */
export function usePages<T>(path: string, list: string, query: Query): Pages<T> {
  const key = JSON.stringify([path, query]);
  const [found, setFound] = useState<{ items: readonly T[]; cursor: string | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(key);
  latest.current = key;
  const read = useCallback(
    async (cursor: string | null) => {
      try {
        const page = await ask<Record<string, unknown>>(path, { ...query, cursor });
        if (latest.current !== key) return;
        const items = page[list] as readonly T[];
        setFound((before) => ({
          items: cursor === null ? items : [...(before?.items ?? []), ...items],
          cursor: page.cursor as string | null,
        }));
        setProblem(null);
      } catch (error) {
        if (latest.current === key) setProblem(problemOf(error));
      }
    },
    [key],
  );
  useEffect(() => {
    // Typing does not cause a request per letter.
    const timer = setTimeout(() => void read(null), found === null ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [read]);
  const cursor = found?.cursor ?? null;
  return {
    items: found?.items ?? null,
    problem,
    more: cursor === null ? null : () => read(cursor),
    again: useCallback(() => void read(null), [read]),
  };
}
