import { TimeRingError } from './errors.js';

/** Validates the limit and the cursor of a list call. */
export function readPage(
  page: { limit?: number | undefined; cursor?: string | undefined },
  most: number,
): { limit: number; cursor: number | null } {
  const { limit = 100, cursor } = page;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > most) {
    throw new TimeRingError('bad-option', `limit must be a whole number from 1 to ${most}; got ${String(limit)}`, {
      field: 'limit',
      value: limit,
    });
  }
  if (cursor === undefined || cursor === null) return { limit, cursor: null };
  if (typeof cursor !== 'string' || !/^\d{1,15}$/.test(cursor)) {
    throw new TimeRingError('bad-option', 'cursor must be the one that the page before gave', {
      field: 'cursor',
      value: cursor,
    });
  }
  return { limit, cursor: Number(cursor) };
}
