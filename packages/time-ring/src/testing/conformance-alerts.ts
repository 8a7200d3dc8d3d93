import { WAITING } from '../model/run.js';
import type { NewAlert } from '../store/alert-store.js';
import { waitingMark } from '../store/alert-store.js';
import { addJob, addRuns, ask, hostileTexts, newRun, type StoreCases, same, sorted, T } from './conformance-stage.js';

const body: NewAlert['body'] = { on: 'misfire', text: 'a text', nodeId: 'n', job: null, run: null };

function alert(change: Partial<NewAlert> = {}): NewAlert {
  return { channel: 'ops', dueAt: T, count: 1, at: T, body, heldKey: null, ...change };
}

/** The outbox of alerts, and its marks. */
export const alertCases: StoreCases = {
  async 'keeps the rules of a job'(store) {
    const alerts = [{ on: 'late', afterMs: 5, channel: 'ops ä' }] as const;
    const job = await addJob(store, { alerts });
    same((await store.job(job.id))!.alerts, alerts);
    await addJob(store);
    const listed = await store.jobs({ hasAlerts: true, limit: 9, afterId: 0 });
    same(
      listed.map(({ id }) => id),
      [job.id],
    );
  },

  async 'gives messages that are due to channels, by due time and id'(store) {
    await ask(store, (trx) =>
      trx.insertAlerts([
        alert({ dueAt: T + 1 }),
        alert({ channel: 'dev ä' }),
        alert({ count: 3 }),
        alert({ dueAt: T + 2 }),
      ]),
    );
    const due = await store.dueAlerts({ channels: ['ops'], until: T + 1, limit: 9 });
    same(
      due.map(({ id, dueAt, count, tries, firstTriedAt }) => [id, dueAt, count, tries, firstTriedAt]),
      [
        [3, T, 3, 0, null],
        [1, T + 1, 1, 0, null],
      ],
    );
    same((await store.dueAlerts({ channels: null, until: T + 2, limit: 9 })).length, 4);
    same((await store.dueAlerts({ channels: null, until: T + 2, limit: 1 }))[0]!.id, 2);
    same(await store.dueAlerts({ channels: [], until: T + 2, limit: 9 }), []);
  },

  async 'brings the texts of messages back as they went in'(store) {
    const text = hostileTexts.join('');
    await ask(store, (trx) => trx.insertAlerts([alert({ body: { ...body, text } })]));
    same((await store.dueAlerts({ channels: null, until: T, limit: 1 }))[0]!.body, { ...body, text });
  },

  async 'adds to a message that is held back, until it is begun'(store) {
    const later = { ...body, text: 'later' };
    await ask(store, (trx) => trx.insertAlerts([alert({ heldKey: 'k' }), alert({ heldKey: 'other' })]));
    await ask(store, (trx) => trx.insertAlerts([alert({ heldKey: 'k', count: 4, at: T + 5, body: later })]));
    const [held] = await store.dueAlerts({ channels: null, until: T, limit: 1 });
    same([held!.count, held!.at, held!.body], [5, T, later]);
    await ask(store, (trx) => trx.beginAlerts([held!.id], T + 7));
    await ask(store, (trx) => trx.insertAlerts([alert({ heldKey: 'k' })]));
    const all = await store.dueAlerts({ channels: null, until: T, limit: 9 });
    same(
      all.map(({ count, firstTriedAt }) => [count, firstTriedAt]),
      [
        [5, T + 7],
        [1, null],
        [1, null],
      ],
    );
    const taken = await ask(store, (trx) => trx.takeHeldAlerts(['k', 'nobody']));
    same(
      taken.map(({ count }) => count),
      [1],
    );
    same((await store.dueAlerts({ channels: null, until: T, limit: 9 })).length, 2);
  },

  async 'postpones and ends messages'(store) {
    await ask(store, (trx) => trx.insertAlerts([alert(), alert()]));
    const sent = { state: 'sent', tries: 1, at: T + 3, error: null } as const;
    await ask(store, (trx) => trx.postponeAlert(1, { tries: 2, dueAt: T + 9, error: 'busy' }));
    same(await ask(store, (trx) => trx.endAlert(2, sent)), true);
    same(await ask(store, (trx) => trx.endAlert(2, sent)), false);
    const [left] = await store.dueAlerts({ channels: null, until: T + 9, limit: 9 });
    same([left!.id, left!.tries, left!.dueAt], [1, 2, T + 9]);
  },

  async 'keeps what became of messages, the newest first'(store) {
    const text = hostileTexts.join('');
    await ask(store, (trx) =>
      trx.insertAlerts([alert({ body: { ...body, text } }), alert(), alert(), alert({ channel: 'dev ä', count: 4 })]),
    );
    await ask(store, async (trx) => {
      await trx.endAlert(1, { state: 'failed', tries: 7, at: T + 5, error: text });
      await trx.endAlert(3, { state: 'sent', tries: 1, at: T + 6, error: null });
      await trx.postponeAlert(2, { tries: 1, dueAt: T + 9, error: 'busy' });
    });
    const list = async (query: Partial<Parameters<typeof store.alertDeliveries>[0]> = {}) =>
      store.alertDeliveries({ beforeId: null, limit: 9, ...query });
    const ids = async (...query: Parameters<typeof list>) => (await list(...query)).map(({ message }) => message.id);
    same(await ids(), [4, 3, 2, 1]);
    same(await ids({ limit: 2 }), [4, 3]);
    same(await ids({ limit: 2, beforeId: 3 }), [2, 1]);
    same(await ids({ state: 'waiting' }), [4, 2]);
    same(await ids({ state: 'sent' }), [3]);
    const [failed] = await list({ state: 'failed' });
    same(failed, {
      ...{ channel: 'ops', message: { ...body, text, id: 1, count: 1, at: T }, state: 'failed' },
      ...{ tries: 7, dueAt: null, endedAt: T + 5, error: text },
    });
    const [newest, , waiting] = await list();
    same([newest!.channel, newest!.message.count, newest!.error], ['dev ä', 4, null]);
    same([waiting!.tries, waiting!.dueAt, waiting!.endedAt, waiting!.error], [1, T + 9, null, 'busy']);
    await ask(store, (trx) => trx.sweepDeliveries(T + 6));
    same(await ids(), [4, 3, 2]);
  },

  async 'keeps marks, each once'(store) {
    const mark = (name: string, until = T) => ({ name, owner: 'me', until });
    same([...(await ask(store, (trx) => trx.addMarks([mark('a'), mark('b')])))].sort(), ['a', 'b']);
    same([...(await ask(store, (trx) => trx.addMarks([mark('b'), mark('c')])))], ['c']);
    await ask(store, (trx) => trx.putMarks([{ name: 'a', owner: 'you', until: T + 1 }, mark('d ä', T + 2)]));
    const held = await ask(store, (trx) => trx.holdMarks(['a', 'd ä', 'nobody']));
    same(
      [...held].sort((x, y) => (x.name < y.name ? -1 : 1)),
      [{ name: 'a', owner: 'you', until: T + 1 }, mark('d ä', T + 2)],
    );
    await ask(store, (trx) => trx.deleteMarks(['a', 'nobody']));
    await ask(store, (trx) => trx.sweepMarks(T + 1));
    same(
      (await ask(store, (trx) => trx.holdMarks(['a', 'b', 'c', 'd ä']))).map(({ name }) => name),
      ['d ä'],
    );
  },

  async 'finds the runs of a job that have waited, until they are marked for the channel'(store) {
    const waiting = { owner: WAITING, waitingFor: 'executor' } as const;
    const [first, second] = await addRuns(
      store,
      newRun(waiting),
      newRun({ ...waiting, readyAt: T + 1 }),
      newRun({ ...waiting, readyAt: T + 2 }),
      newRun({ ...waiting, jobId: 2 }),
      newRun(),
    );
    const query = { jobId: 1, channel: 'ops ä', readyBefore: T + 1, limit: 9 };
    const found = await ask(store, (trx) => trx.longWaitingRuns(query));
    same(sorted(found.map(({ id }) => id)), [first, second]);
    await ask(store, (trx) => trx.addMarks([{ name: waitingMark(first!, 'ops ä'), owner: '', until: T }]));
    same(
      (await ask(store, (trx) => trx.longWaitingRuns(query))).map(({ id }) => id),
      [second],
    );
    same((await ask(store, (trx) => trx.longWaitingRuns({ ...query, channel: 'dev' }))).length, 2);
  },
};
