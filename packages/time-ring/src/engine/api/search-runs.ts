import type { Run } from '../../model/run.js';
import type { JobReads, RunQuery } from '../../store/job-store.js';
import { boundedPage } from './bounded-page.js';

type Query = Omit<RunQuery, 'limit' | 'beforeId'>;

/** So many runs are looked at for one page; what lies behind them comes with the cursor. */
const MAX_SEARCHED = 50_000;

/** Whether no index leads to what is wanted, so that a long history would be read from end to end for what is not in it. */
export function isSearch(query: Query): boolean {
  const { text, labels, executor } = query;
  const isAsked = text !== undefined || executor !== undefined || Object.keys(labels ?? {}).length > 0;
  return isAsked && !isLed(query);
}

/** Whether only the group is asked for: most groups have something among the newest runs, but those that rest must be found too. */
export function isOfGroup(query: Query): boolean {
  return query.group !== undefined && !isLed(query) && !isSearch(query);
}

function isLed({ jobId, fireId, state, triggerType, order }: Query): boolean {
  const isRareState = state !== undefined && state !== 'succeeded';
  const isRareTrigger = triggerType !== undefined && triggerType !== 'schedule';
  return jobId !== undefined || fireId !== undefined || isRareState || isRareTrigger || order === 'oldest';
}

/** A page of a search. It may be short, or empty, and have a cursor nevertheless: then nothing was found among the newest so far. */
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

/** A page of a group's runs: among the newest of all, or else wherever they are. */
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
