import { expect, test } from 'vitest';
import { boundedPage } from './bounded-page.js';

/** `count` items with parameters of `bytes`; what was read is kept. */
function list(count: number, bytes: number) {
  const all = Array.from({ length: count }, (_, i) => ({ id: i + 1, params: 'x'.repeat(bytes) }));
  const reads: number[] = [];
  const page = (limit: number, cursor = 0) =>
    boundedPage(limit, async (after, most) => {
      const items = all.filter(({ id }) => id > (after ?? cursor)).slice(0, most);
      reads.push(items.length);
      return items;
    });
  return { page, reads };
}

test('a page of large items ends after some megabytes, and its cursor goes on after what fits', async () => {
  const { page, reads } = list(50, 1_048_576);
  const ids: number[] = [];
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const read: Awaited<ReturnType<typeof page>> = await page(1_000, Number(cursor));
    expect(read.items.length).toBeLessThanOrEqual(4);
    ids.push(...read.items.map(({ id }) => id));
    cursor = read.cursor;
  }
  expect(ids).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(Math.max(...reads)).toBeLessThanOrEqual(32);
});

test.each([1, 2, 31, 32, 33, 34, 99, 100, 101])(
  'a page of %i small items has a cursor when more come',
  async (count) => {
    for (const limit of [1, 31, 32, 33, 100]) {
      const { items, cursor } = await list(count, 10).page(limit);
      expect(items).toHaveLength(Math.min(count, limit));
      expect(cursor).toBe(count > limit ? String(limit) : null);
    }
  },
);

test('an item that is larger than a page is one', async () => {
  expect(await list(2, 5_000_000).page(10)).toMatchObject({ items: [{ id: 1 }], cursor: '1' });
});
