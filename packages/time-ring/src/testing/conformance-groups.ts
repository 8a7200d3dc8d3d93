import type { StoredGroup } from '../store/group-store.js';
import {
  addJob,
  addRuns,
  ask,
  claim,
  end,
  fire,
  newRun,
  registration,
  type StoreCases,
  same,
  T,
} from './conformance-stage.js';

function group(name: string, change: Partial<StoredGroup> = {}): StoredGroup {
  const none = { title: '', addresses: [], maxRunning: null, rate: null, alerts: [], pausedAt: null, createdAt: T };
  return { name, ...none, ...change };
}

/** Groups, and the counts for limits. */
export const groupCases: StoreCases = {
  async 'keeps groups by name, replaces them and removes them'(store) {
    const mail = group('mail ä', {
      title: 'Mail',
      addresses: ['http://a', 'http://b'],
      maxRunning: 3,
      rate: { limit: 2, perMs: 5_000 },
      alerts: [{ on: 'late', afterMs: 5, channel: 'people' }],
      pausedAt: T,
    });
    await ask(store, async (trx) => {
      await trx.lockGroups();
      await trx.putGroup(group('z'));
      await trx.putGroup(group('mail ä'));
      await trx.putGroup(mail);
    });
    same(await store.groups(null), [mail, group('z')]);
    same(await store.groups(['nobody', 'z']), [group('z')]);
    same(await store.groups([]), []);
    same(await ask(store, (trx) => trx.shareGroups(['mail ä'])), [mail]);
    await ask(store, (trx) => trx.deleteGroup('z'));
    same(await store.groups(null), [mail]);
  },

  async 'knows the groups that jobs and executors name'(store) {
    await addJob(store, { executorGroup: 'of a job' });
    await addJob(store, { executorGroup: 'of both' });
    await ask(store, async (trx) => {
      await trx.putExecutor(registration('of both', 'http://a'));
      await trx.putExecutor(registration('of an executor', 'http://a'));
    });
    same([...(await store.namedGroups())].sort(), ['of a job', 'of an executor', 'of both']);
  },

  async 'leaves the due jobs of groups out'(store) {
    await addJob(store, { executorGroup: 'a' }, T);
    await addJob(store, { executorGroup: 'b' }, T);
    const due = await ask(store, (trx) =>
      trx.lockDueJobs({ until: T, limit: 9, buckets: null, exceptGroups: ['a', 'c'] }),
    );
    same(
      due.map(({ id }) => id),
      [2],
    );
  },

  async 'counts what is queued or running of a job, and of a group'(store) {
    await addJob(store, { executorGroup: 'g' });
    await addJob(store, { executorGroup: 'g' });
    await addJob(store, { executorGroup: 'h' });
    same(await store.countRunning({ jobId: 1 }), 0);
    const ids = await addRuns(store, newRun(), newRun(), newRun(), newRun({ jobId: 2 }), newRun({ jobId: 3 }));
    await ask(store, (trx) =>
      trx.dispatchRuns([
        fire(ids[0]!),
        fire(ids[1]!, { state: 'queued', startedAt: null }),
        fire(ids[3]!),
        fire(ids[4]!),
      ]),
    );
    same(await store.countRunning({ jobId: 1 }), 2);
    same(await store.countRunning({ group: 'g' }), 3);
    await ask(store, (trx) => trx.endRuns([end(ids[0]!)]));
    same(await store.countRunning({ jobId: 1 }), 1);
    same(await store.countRunning({ group: 'h' }), 1);
  },

  async 'keeps the starts that are counted under a name'(store) {
    same(await store.starts('job 1'), []);
    await ask(store, async (trx) => {
      same(
        [...(await trx.lockStarts(['group g', 'job 1']))],
        [
          ['group g', []],
          ['job 1', []],
        ],
      );
      await trx.putStarts('job 1', [
        [7, 2],
        [8, 1],
      ]);
    });
    same(await store.starts('job 1'), [
      [7, 2],
      [8, 1],
    ]);
    same(await store.starts('group g'), []);
  },

  async 'lets waiting runs of a paused group stand still'(store) {
    await addJob(store, { executorGroup: 'g' });
    await addJob(store, { executorGroup: 'h' });
    const early = newRun({ readyAt: T - 4_000 });
    const ids = await addRuns(store, early, newRun({ readyAt: T + 3_000 }), newRun({ jobId: 2, readyAt: T }));
    await ask(store, async (trx) => {
      await trx.parkRuns(ids.map((id) => ({ ...claim(id), waitingFor: 'executor', deadlineAt: T + 9_000 })));
      await trx.pauseWaiting('g');
    });
    const seen = async (id: number) => {
      const { waitingFor, deadlineAt, readyAt } = (await store.run(id))!;
      return [waitingFor, deadlineAt, readyAt];
    };
    same(await seen(ids[0]!), ['paused', null, T - 4_000]);
    same(await seen(ids[2]!), ['executor', T + 9_000, T]);
    await ask(store, (trx) => trx.resumeWaiting({ group: 'g', pausedAt: T, now: T + 10_000 }));
    same(await seen(ids[0]!), ['paused', null, T + 6_000]);
    same(await seen(ids[1]!), ['paused', null, T + 10_000]);
    same(await seen(ids[2]!), ['executor', T + 9_000, T]);
  },

  async 'deletes what a job does not keep, oldest first, with the logs'(store) {
    await addJob(store, { keepRuns: { count: 2 } });
    await addJob(store);
    same(
      (await store.jobsWithHistoryLimit({ afterId: 0, limit: 9 })).map(({ id }) => id),
      [1],
    );
    same(await store.jobsWithHistoryLimit({ afterId: 1, limit: 9 }), []);
    const ids = await addRuns(store, ...Array.from({ length: 6 }, () => newRun()), newRun({ jobId: 2 }));
    const ended = ids.filter((_, i) => i !== 1);
    await ask(store, async (trx) => {
      await trx.endRuns(ended.map((id, i) => end(id, { endedAt: T + i })));
      await trx.appendLog([{ runId: ids[0]!, line: 0, text: 'a' }]);
    });
    const prune = (query: { keep: number | null; endedBefore: number | null; limit: number }) =>
      ask(store, (trx) => trx.pruneRuns({ jobId: 1, ...query }));
    const left = async () => {
      const runs = await store.runs({ jobId: 1, limit: 99, beforeId: null });
      return runs.map(({ id }) => ids.indexOf(id));
    };
    same(await prune({ keep: null, endedBefore: null, limit: 9 }), 0);
    same(await prune({ keep: 2, endedBefore: null, limit: 2 }), 2);
    same(await left(), [5, 4, 3, 1]);
    same(await store.logLines(ids[0]!, 0, 9), []);
    same(await prune({ keep: 2, endedBefore: null, limit: 9 }), 1);
    same(await left(), [5, 4, 1]);
    same(await prune({ keep: 9, endedBefore: T + 4, limit: 9 }), 1);
    same(await left(), [5, 1]);
  },
};
