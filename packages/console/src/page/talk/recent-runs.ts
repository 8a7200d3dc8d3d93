import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask } from './api.js';
import { useLive } from './live.js';

/** A run as a small drawing needs it. */
export interface RecentRun {
  readonly id: number;
  readonly state: string;
  readonly tookMs: number | null;
}

interface Answer {
  readonly jobs: readonly { readonly jobId: number; readonly runs: readonly RecentRun[] }[];
}

/** The maximum number of jobs per request. */
const MAX_JOBS = 100;
/** The shortest time between two requests for a page of jobs, however many runs end meanwhile. */
const LOOK_EVERY_MS = 5_000;

/** The newest runs of the jobs of a list, the newest first: one request per page of jobs. The present runs stay until the answer comes. */
export function useRecentRuns(ids: readonly number[]): ReadonlyMap<number, readonly RecentRun[]> {
  const [found, setFound] = useState<ReadonlyMap<number, readonly RecentRun[]>>(new Map());
  const wanted = ids.join(',');
  const look = useCallback(() => {
    const all = wanted === '' ? [] : wanted.split(',');
    const pages = Array.from({ length: Math.ceil(all.length / MAX_JOBS) }, (_, page) =>
      all.slice(page * MAX_JOBS, (page + 1) * MAX_JOBS),
    );
    let isCurrent = true;
    void Promise.all(pages.map((page) => ask<Answer>('admin/recent-runs', { jobIds: page.join(',') }))).then(
      (answers) =>
        isCurrent && setFound(new Map(answers.flatMap(({ jobs }) => jobs).map(({ jobId, runs }) => [jobId, runs]))),
      // The list itself shows the server's fault.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  useEffect(look, [look]);
  useLive('run-', look, LOOK_EVERY_MS);
  return found;
}
