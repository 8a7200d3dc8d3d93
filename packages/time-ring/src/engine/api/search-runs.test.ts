import { expect, test } from 'vitest';
import type { Run } from '../../model/run.js';
import type { RunQuery } from '../../store/job-store.js';
import { groupRuns, isOfGroup, isSearch, searchRuns } from './search-runs.js';

/** Runs of these ids, of which some have what is looked for. */
function storeOf(ids: readonly number[], isWanted: (id: number) => boolean) {
  const asked: RunQuery[] = [];
  const runs = async (query: RunQuery) => {
    asked.push(query);
    return ids
      .filter((id) => id < (query.beforeId ?? Infinity) && id >= (query.fromId ?? 0))
      .filter((id) => query.text === undefined || isWanted(id))
      .sort((a, b) => b - a)
      .slice(0, query.limit)
      .map((id) => ({ id, params: null, message: null }) as Run);
  };
  return { runs, asked };
}

test('a search looks at 50,000 runs for a page and goes on with the cursor until nothing is left', async () => {
  const store = storeOf([1, 2, 60_000, 120_000, 120_001], (id) => id === 2 || id === 120_000);
  const found: number[][] = [];
  let cursor: number | null = null;
  do {
    const page = await searchRuns(store, { text: 'x' }, { limit: 10, cursor });
    found.push(page.runs.map(({ id }) => id));
    cursor = page.cursor === null ? null : Number(page.cursor);
  } while (cursor !== null);
  // Where there are no ids, nothing is looked at.
  expect(found).toEqual([[120_000], [], [2]]);
  for (const { text, fromId, beforeId } of store.asked)
    if (text !== undefined) expect(beforeId! - fromId!).toBeLessThanOrEqual(50_000);
});

test('a full page goes on after its last run, and an empty history has no page', async () => {
  const store = storeOf([1, 2, 3], () => true);
  expect(await searchRuns(store, { text: 'x' }, { limit: 2, cursor: null })).toMatchObject({ cursor: '2' });
  expect(await searchRuns(store, { text: 'x' }, { limit: 2, cursor: 2 })).toMatchObject({
    runs: [{ id: 1 }],
    cursor: null,
  });
  expect(
    await searchRuns(
      storeOf([], () => true),
      { text: 'x' },
      { limit: 2, cursor: null },
    ),
  ).toEqual({
    runs: [],
    cursor: null,
  });
});

test('a group that rests is found however long ago it ran', async () => {
  const store = storeOf([1, 2, 3, 120_000], (id) => id < 3);
  expect(await groupRuns(store, { text: 'as a group' }, { limit: 2, cursor: null })).toMatchObject({
    runs: [{ id: 2 }, { id: 1 }],
    cursor: null,
  });
  expect([
    isOfGroup({ group: 'g' }),
    isOfGroup({ group: 'g', state: 'failed' }),
    isOfGroup({ group: 'g', text: 'x' }),
  ]).toEqual([true, false, false]);
});

test.each([
  { query: { text: 'x' }, is: true },
  { query: { executor: 'a' }, is: true },
  { query: { labels: { a: 'b' } }, is: true },
  { query: { labels: {} }, is: false },
  { query: { text: 'x', state: 'succeeded' }, is: true },
  { query: { text: 'x', state: 'failed' }, is: false },
  { query: { text: 'x', jobId: 1 }, is: false },
  { query: { text: 'x', order: 'oldest' }, is: false },
] as { query: Parameters<typeof isSearch>[0]; is: boolean }[])('$query is a search: $is', ({ query, is }) => {
  expect(isSearch(query)).toBe(is);
});
