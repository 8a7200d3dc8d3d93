import { expect, test } from 'vitest';
import type { JobStore, JobTransaction, NodeHeartbeat, RunClaim } from '../../src/store/job-store.js';
import { checkHistory } from '../support/simulation/check-history.js';
import { runHistory } from '../support/simulation/run-history.js';

const MAX_HISTORIES = 3_000;

/** A store whose transactions are changed in some way. */
const changing =
  (change: (trx: JobTransaction) => Partial<JobTransaction>) =>
  (store: JobStore): JobStore => ({
    ...store,
    transaction: (work) => store.transaction((trx) => work(Object.assign(Object.create(trx), change(trx)))),
  });

/** Claims as if whoever asks were the owner of today. */
async function asOwner<C extends RunClaim>(trx: JobTransaction, claims: readonly C[], isOwnerChecked: boolean) {
  const rows = new Map((await trx.lockRuns(claims.map(({ id }) => id))).map((row) => [row.id, row]));
  return claims.map((claim): C => {
    const row = rows.get(claim.id);
    if (row === undefined || row.owner === null || (isOwnerChecked && row.owner !== claim.owner)) return claim;
    return { ...claim, owner: row.owner, fence: row.fence };
  });
}

const ignoring = (isOwnerChecked: boolean) =>
  changing((trx) => ({
    endRuns: async (ends) => trx.endRuns(await asOwner(trx, ends, isOwnerChecked)),
    dispatchRuns: async (fires) => trx.dispatchRuns(await asOwner(trx, fires, isOwnerChecked)),
  }));

const older = (node: NodeHeartbeat): NodeHeartbeat => ({ ...node, beatAt: node.beatAt - 4_000 });

/** `from`: the first seed to try, where a bug shows in few histories. */
const bugs: { story: string; plant(store: JobStore): JobStore; rules: readonly string[]; from?: number }[] = [
  { story: 'takes results from anybody', plant: ignoring(false), rules: ['fence', 'one-start'] },
  {
    story: 'takes the old result of a node that lost a run and got it back',
    plant: ignoring(true),
    rules: ['fence', 'one-start'],
    from: 0,
  },
  {
    story: 'writes a fire a second time',
    plant: changing((trx) => ({ insertRuns: (runs) => trx.insertRuns(runs.map((run) => ({ ...run, key: null }))) })),
    rules: ['one-fire'],
  },
  {
    story: 'forgets what is handed back',
    plant: changing(() => ({ handBack: async () => {} })),
    rules: ['no-lost-run', 'trigger'],
  },
  {
    story: 'does not tell the node of every tenth run that it wrote',
    plant: changing((trx) => ({
      insertRuns: async (runs) => (await trx.insertRuns(runs)).map((id) => (id !== null && id % 10 === 0 ? null : id)),
    })),
    rules: ['no-lost-run'],
  },
  {
    story: 'forgets nodes that die',
    plant: changing((trx) => ({ nodes: async () => (await trx.nodes()).slice(-1) })),
    rules: ['no-lost-run'],
  },
  {
    story: 'takes living nodes for dead ones',
    plant: changing((trx) => ({
      nodes: async () => (await trx.nodes()).map(older),
      lockNodes: async (owners) => (await trx.lockNodes(owners)).map(older),
    })),
    rules: ['takeover', 'calm'],
  },
  {
    story: 'lets runs of stopped jobs go on',
    plant: changing((trx) => ({
      withdrawRuns: async (jobId) =>
        (await trx.lockRuns([...Array(200).keys()]))
          .filter(
            (row) =>
              row.jobId === jobId && row.state === 'pending' && row.triggerType === 'schedule' && row.firedAt === null,
          )
          .map(({ id }) => id),
    })),
    rules: ['withdrawn'],
  },
  {
    story: 'moves jobs on by one occurrence too many',
    plant: changing((trx) => ({
      advanceJobs: (changes) =>
        trx.advanceJobs(changes.map((change) => ({ ...change, nextAt: change.nextAt && change.nextAt + 10_000 }))),
    })),
    rules: ['due-set'],
  },
  {
    story: 'takes a second result for a run that is over',
    plant: changing((trx) => ({
      endRuns: async (ends) => {
        await trx.endRuns(ends);
        return new Set(ends.map(({ id }) => id));
      },
    })),
    rules: ['one-completion'],
  },
  {
    story: 'retries once too often',
    plant: changing((trx) => ({
      jobsByIds: async (ids) => (await trx.jobsByIds(ids)).map((job) => ({ ...job, retries: job.retries + 1 })),
    })),
    rules: ['retries'],
  },
  {
    story: 'loses the children of a success',
    plant: changing((trx) => ({
      insertRuns: (runs) => trx.insertRuns(runs.flatMap((run) => (run.triggerType === 'child' ? [] : [run]))),
    })),
    rules: ['children'],
  },
  {
    story: 'keeps half of a transaction that failed',
    plant: (store) => ({
      ...store,
      async transaction(work) {
        const outcome = await store.transaction(async (trx) =>
          work(trx).then(
            (value) => ({ value }),
            (error) => ({ error }),
          ),
        );
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      },
    }),
    rules: ['no-lost-run', 'due-set', 'one-completion', 'attempted', 'fence'],
  },
];

test.each(bugs)('a store that $story is caught', async ({ plant, rules, from = 0 }) => {
  for (let i = from; i < from + MAX_HISTORIES; i++) {
    const breaches = checkHistory(await runHistory(`planted ${i}`, { plant }));
    if (breaches.some(({ rule }) => rules.includes(rule))) return;
  }
  expect.unreachable(`${MAX_HISTORIES} histories did not show it`);
});

test('the same seed gives the same history', async () => {
  for (const seed of ['same 1', 'same 2', 'same 3']) {
    const [first, second] = [await runHistory(seed), await runHistory(seed)];
    expect(second.events.map((event) => JSON.stringify(event))).toEqual(
      first.events.map((event) => JSON.stringify(event)),
    );
    expect(second.rows).toEqual(first.rows);
  }
});
