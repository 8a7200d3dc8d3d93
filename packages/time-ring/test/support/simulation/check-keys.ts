import { retriedByUsers } from './check-follow-ups.js';
import { type Breach, changesOf, groupBy } from './check-history.js';
import type { History } from './history-record.js';

/** While a fire with a unique key is not over, no other fire of the job begins with it. */
export function checkKeys(history: History): Breach[] {
  const reopened = retriedByUsers(history);
  const fires = changesOf(history, 'inserted').filter(({ run }) => run.uniqueKey !== null && run.fireId === null);
  const ends = lastEnds(history);
  const steady = fires.filter(({ id }) => !reopened.has(id));
  return [...groupBy(steady, ({ run }) => `${run.jobId} ${run.uniqueKey}`)].flatMap(([key, found]) =>
    found.slice(1).flatMap(({ id, order }, i) => {
      const before = found[i]!.id;
      const isOver = (ends.get(before) ?? Number.POSITIVE_INFINITY) < order;
      return isOver ? [] : [{ rule: 'unique', message: `fire ${id} has the key ${key} of fire ${before}` }];
    }),
  );
}

/** When the last run of each fire ended. */
function lastEnds(history: History): ReadonlyMap<number, number> {
  const fireOf = new Map(history.rows.map(({ id, fireId }) => [id, fireId]));
  return new Map(changesOf(history, 'ended').map(({ end, order }) => [fireOf.get(end.id) ?? end.id, order]));
}
