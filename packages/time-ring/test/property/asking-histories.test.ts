import { expect, test } from 'vitest';
import type { JobStore, JobTransaction } from '../../src/store/job-store.js';
import { checkHistory } from '../support/simulation/check-history.js';
import { runHistory } from '../support/simulation/run-history.js';

const HISTORIES = process.env.HORAE_LONG ? 5_000 : 60;
/** As many more as it takes until users have done each of these with success. */
const MOST = HISTORIES + 240;
const wanted = ['ask', 'put', 'retry', 'cancel', 'delayed'];

test.each(['lock-row', 'buckets'] as const)(
  'histories in which users ask with keys and delays, declare, retry and cancel break no promise in the mode %s',
  async (claim) => {
    const seen = new Set<string>();
    for (let i = 0; i < HISTORIES || (i < MOST && !wanted.every((what) => seen.has(what))); i++) {
      const history = await runHistory(`asking ${i}`, { claim, hasAsking: true });
      expect(checkHistory(history), `runHistory("asking ${i}", { claim: '${claim}', hasAsking: true })`).toEqual([]);
      for (const { kind, result } of history.calls) if (result !== null) seen.add(kind);
      if (history.rows.some(({ dueAt, triggerType }) => dueAt !== null && triggerType === 'manual'))
        seen.add('delayed');
    }
    expect([...seen]).toEqual(expect.arrayContaining(wanted));
  },
);

const changing =
  (change: (trx: JobTransaction) => Partial<JobTransaction>) =>
  (store: JobStore): JobStore => ({
    ...store,
    transaction: (work) => store.transaction((trx) => work(Object.assign(Object.create(trx), change(trx)))),
  });

const faults: { story: string; plant(store: JobStore): JobStore; rules: readonly string[] }[] = [
  {
    story: 'frees a unique key while its fire goes on',
    plant: changing((trx) => ({
      async insertRuns(runs) {
        const ids = await trx.insertRuns(runs);
        await trx.releaseUnique(ids.flatMap((fireId) => (fireId === null ? [] : [{ fireId, until: null }])));
        return ids;
      },
    })),
    rules: ['unique'],
  },
  {
    story: 'lets two jobs have the same key',
    plant: changing(() => ({ jobByKey: async () => null, lockKey: async () => null })),
    rules: ['put'],
  },
  {
    story: 'takes delayed runs and forgets them',
    plant: changing((trx) => ({
      async takeDelayed(query) {
        await trx.takeDelayed(query);
        return [];
      },
    })),
    rules: ['no-lost-run', 'trigger'],
  },
];

test.each(faults)('a store that $story is caught', async ({ plant, rules }) => {
  const found = new Set<string>();
  for (let i = 0; i < 100 && !rules.some((rule) => found.has(rule)); i++) {
    const history = await runHistory(`asking ${i}`, { hasAsking: true, plant });
    for (const { rule } of checkHistory(history)) found.add(rule);
  }
  expect(
    rules.some((rule) => found.has(rule)),
    [...found].join(),
  ).toBe(true);
});
