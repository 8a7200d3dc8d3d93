import type { Run } from '../../model/run.js';
import type { JobReads, RunQuery } from '../../store/job-store.js';
import { boundedPage } from './bounded-page.js';

type Query = Omit<RunQuery, 'limit' | 'beforeId'>;

/** At most this many runs are read for one page; the cursor continues after them. */
const MAX_SEARCHED = 50_000;

/** Whether no index serves the query, so that a search without matches would read the whole history. */
export function isSearch(query: Query): boolean {
  const { text, labels, executor } = query;
  const isAsked = text !== undefined || executor !== undefined || Object.keys(labels ?? {}).length > 0;
  return isAsked && !isLed(query);
}

/** Whether the group is the only condition: most groups have runs among the newest, but those of inactive groups must be found too. */
export function isOfGroup(query: Query): boolean {
  return query.group !== undefined && !isLed(query) && !isSearch(query);
}

function isLed({ jobId, fireId, state, triggerType, order }: Query): boolean {
  const isRareState = state !== undefined && state !== 'succeeded';
  const isRareTrigger = triggerType !== undefined && triggerType !== 'schedule';
  return jobId !== undefined || fireId !== undefined || isRareState || isRareTrigger || order === 'oldest';
}

/** A page of a search. It may be short or empty and still have a cursor: then the runs read so far contain no further matches. */
export async function searchRuns(
  store: Pick<JobReads, 'runs'>,
  query: Query,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ runs: readonly Run[]; cursor: string | null }> {
  const newestBelow = async (beforeId: number | null) =>
    (await store.runs({ include: [], limit: 1, beforeId }))[0]?.id ?? null;
  const newest = await newestBelow(cursor);
  if (newest === null) return { runs: [], cursor: null };
  const fromId = Math.max(1, newest - MAX_SEARCHED + 1);
  const page = await boundedPage(limit, (after, count) =>
    store.runs({ ...query, fromId, limit: count, beforeId: after ?? newest + 1 }),
  );
  if (page.cursor !== null) return { runs: page.items, cursor: page.cursor };
  return { runs: page.items, cursor: (await newestBelow(fromId)) === null ? null : String(fromId) };
}

/** A page of a group's runs: from the newest runs of all groups, or else from the whole history. */
export async function groupRuns(
  store: Pick<JobReads, 'runs'>,
  query: Query,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ runs: readonly Run[]; cursor: string | null }> {
  const near = await searchRuns(store, query, { limit, cursor });
  if (near.cursor === null || near.runs.length >= limit) return near;
  const page = await boundedPage(limit, (after, count) =>
    store.runs({ ...query, limit: count, beforeId: after ?? cursor }),
  );
  return { runs: page.items, cursor: page.cursor };
}
