import type { Job } from '@horae/time-ring';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './api.js';

const names = new Map<number, Promise<string>>();
const MAX_KEPT = 5_000;

function nameOf(id: number): Promise<string> {
  const known = names.get(id);
  if (known !== undefined) return known;
  if (names.size >= MAX_KEPT) names.clear();
  const asked = ask<Job>(`admin/jobs/${id}`).then(
    ({ name }) => name,
    () => `#${id}`,
  );
  names.set(id, asked);
  return asked;
}

/** The names of jobs, requested once each. */
export function useJobNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const [found, setFound] = useState<ReadonlyMap<number, string>>(new Map());
  const wanted = [...new Set(ids)].sort((a, b) => a - b).join(',');
  useEffect(() => {
    let isCurrent = true;
    const all = wanted === '' ? [] : wanted.split(',').map(Number);
    void Promise.all(all.map(async (id) => [id, await nameOf(id)] as const)).then(
      (pairs) => isCurrent && setFound(new Map(pairs)),
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return found;
}
