import type { StoredEvent } from '../store/event-store.js';
import type { JobStore } from '../store/job-store.js';
import { ask, hostileTexts, type StoreCases, same, T } from './conformance-stage.js';

function event(owner: string, sequence: number, change: Partial<StoredEvent> = {}): StoredEvent {
  return { owner, sequence, nodeId: `label of ${owner}`, at: T, name: 'job-removed', event: { jobId: 1 }, ...change };
}

async function read(store: JobStore, after: Readonly<Record<string, number>>, change: object = {}): Promise<string[]> {
  const cursors = Object.entries(after).map(([owner, sequence]) => ({ owner, sequence }));
  const events = await store.eventsAfter({ cursors, since: T, limit: 100, ...change });
  return events.map(({ owner, sequence }) => `${owner} ${sequence}`);
}

/** The events that nodes share while any node listens to all of them. */
export const eventCases: StoreCases = {
  async 'gives the events of nodes after what was read, in the order of each node'(store) {
    await ask(store, (trx) => trx.insertEvents([event('b', 1), event('b', 2), event('b', 10)]));
    await ask(store, (trx) => trx.insertEvents([event('a', 1), event('a', 2, { at: T - 1 })]));
    await ask(store, (trx) => trx.insertEvents([]));
    same(await read(store, { a: 0, b: 1 }), ['a 1', 'b 2', 'b 10']);
    same(await read(store, { a: 0, b: 0 }, { since: T - 1, limit: 3 }), ['a 1', 'a 2', 'b 1']);
    same(await read(store, { a: 2, c: 0 }), []);
    same(await read(store, {}), []);
  },

  async 'brings an event back as it went in'(store) {
    const told = event('a', 1, {
      nodeId: hostileTexts.join(''),
      at: T + 0.5,
      event: { run: { message: hostileTexts } },
    });
    await ask(store, (trx) => trx.insertEvents([told, event('a', 2, { event: null })]));
    same(await store.eventsAfter({ cursors: [{ owner: 'a', sequence: 0 }], since: T, limit: 9 }), [
      told,
      event('a', 2, { event: null }),
    ]);
  },

  async 'writes an event once, however often it is told'(store) {
    await ask(store, (trx) => trx.insertEvents([event('a', 1), event('a', 2)]));
    await ask(store, (trx) => trx.insertEvents([event('a', 2, { name: 'other' }), event('a', 3)]));
    const events = await store.eventsAfter({ cursors: [{ owner: 'a', sequence: 0 }], since: T, limit: 9 });
    same(
      events.map(({ name }) => name),
      ['job-removed', 'job-removed', 'job-removed'],
    );
  },

  async 'deletes the events of one node or of all that happened before'(store) {
    const old = { at: T - 5 };
    await ask(store, (trx) => trx.insertEvents([event('a', 1, old), event('a', 2), event('b', 1, old), event('b', 2)]));
    await ask(store, (trx) => trx.deleteEvents({ owner: 'a', before: T }));
    same(await read(store, { a: 0, b: 0 }, { since: 0 }), ['a 2', 'b 1', 'b 2']);
    await ask(store, (trx) => trx.deleteEvents({ owner: null, before: T }));
    same(await read(store, { a: 0, b: 0 }, { since: 0 }), ['a 2', 'b 2']);
  },

  async 'remembers whether a node listens, until its next heartbeat'(store) {
    const beat = { owner: 'a', nodeId: 'one', beatAt: T };
    const listening = async () => (await store.nodes()).map(({ listens = false }) => listens);
    await ask(store, (trx) => trx.heartbeat({ ...beat, listens: true }));
    await ask(store, (trx) => trx.keepNode(beat));
    same(await listening(), [true]);
    await ask(store, (trx) => trx.heartbeat(beat));
    same(await listening(), [false]);
    await ask(store, (trx) => trx.heartbeat({ ...beat, listens: true }));
    same(await listening(), [true]);
  },
};
