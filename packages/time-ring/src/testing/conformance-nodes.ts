import type { JobStore, RegisteredExecutor } from '../store/job-store.js';
import { ask, hostileTexts, registration, type StoreCases, same, T } from './conformance-stage.js';

const take = (store: JobStore, bucket: number, owner: string, now = T, expiresAt = T + 100) =>
  ask(store, (trx) => trx.takeBucket(bucket, owner, now, expiresAt));

const byOwner = async (store: JobStore) =>
  [...(await store.nodes())].sort((a, b) => (a.owner < b.owner ? -1 : Number(a.owner > b.owner)));

export const nodeCases: StoreCases = {
  'remembers the last heartbeat of every node': async (store) => {
    await ask(store, (trx) => trx.heartbeat({ owner: 'a', nodeId: 'one', beatAt: T }));
    await ask(store, (trx) => trx.heartbeat({ owner: 'b', nodeId: 'two "quoted"', beatAt: T + 1 }));
    await ask(store, (trx) => trx.heartbeat({ owner: 'a', nodeId: 'one', beatAt: T + 2 }));
    same(await byOwner(store), [
      { owner: 'a', nodeId: 'one', beatAt: T + 2 },
      { owner: 'b', nodeId: 'two "quoted"', beatAt: T + 1 },
    ]);
    await ask(store, (trx) => trx.removeNode('a'));
    await ask(store, (trx) => trx.removeNode('never there'));
    same(
      (await byOwner(store)).map(({ owner }) => owner),
      ['b'],
    );
  },
  'keeps a node that is there as it is, and writes one that is not': async (store) => {
    await ask(store, (trx) => trx.heartbeat({ owner: 'a', nodeId: 'one', beatAt: T }));
    await ask(store, (trx) => trx.keepNode({ owner: 'a', nodeId: 'one', beatAt: T + 5 }));
    await ask(store, (trx) => trx.keepNode({ owner: 'b', nodeId: 'two', beatAt: T + 5 }));
    same(await byOwner(store), [
      { owner: 'a', nodeId: 'one', beatAt: T },
      { owner: 'b', nodeId: 'two', beatAt: T + 5 },
    ]);
  },
  'holds those of the nodes that are still there': async (store) => {
    for (const owner of ['c', 'a', 'b']) await ask(store, (trx) => trx.heartbeat({ owner, nodeId: owner, beatAt: T }));
    const held = await ask(store, (trx) => trx.lockNodes(['c', 'gone', 'a']));
    same(
      held.map(({ owner }) => owner),
      ['a', 'c'],
    );
    same(await ask(store, (trx) => trx.lockNodes([])), []);
  },
  'tells an owner once which of its runs were killed': async (store) => {
    await ask(store, (trx) => trx.addKill('a', 5));
    await ask(store, (trx) => trx.addKill('a', 3));
    await ask(store, (trx) => trx.addKill('a', 5));
    await ask(store, (trx) => trx.addKill('b', 4));
    const kills = async (owner: string) => [...(await ask(store, (trx) => trx.takeKills(owner)))].sort((x, y) => x - y);
    same(await kills('a'), [3, 5]);
    same(await kills('a'), []);
    same(await kills('b'), [4]);
  },
  'has 64 free buckets at first': async (store) => {
    const leases = await store.buckets();
    same(
      leases.map(({ bucket }) => bucket),
      Array.from({ length: 64 }, (_, bucket) => bucket),
    );
    same(
      leases.every(({ owner, epoch }) => owner === null && epoch === 0),
      true,
    );
  },
  'gives a free bucket under the next epoch': async (store) => {
    same(await take(store, 63, 'a'), 1);
    same((await store.buckets())[63], { bucket: 63, owner: 'a', epoch: 1, expiresAt: T + 100 });
    same(await take(store, 64, 'a'), null);
  },
  'gives nobody a bucket that somebody has, until the lease has expired': async (store) => {
    await take(store, 7, 'a');
    same(await take(store, 7, 'b', T + 1), null);
    same(await take(store, 7, 'b', T + 100), null);
    same((await store.buckets())[7]?.owner, 'a');
    same(await take(store, 7, 'b', T + 101, T + 200), 2);
    same((await store.buckets())[7], { bucket: 7, owner: 'b', epoch: 2, expiresAt: T + 200 });
  },
  'holds and renews the leases of an owner': async (store) => {
    await take(store, 9, 'a');
    await take(store, 3, 'a');
    await take(store, 4, 'b');
    await ask(store, (trx) => trx.renewBuckets('a', T + 500));
    same(await ask(store, (trx) => trx.lockBuckets('a')), [
      { bucket: 3, owner: 'a', epoch: 1, expiresAt: T + 500 },
      { bucket: 9, owner: 'a', epoch: 1, expiresAt: T + 500 },
    ]);
    same((await store.buckets())[4]?.expiresAt, T + 100);
    same(await ask(store, (trx) => trx.lockBuckets('nobody')), []);
  },
  'does not renew a lease that another has taken over': async (store) => {
    await take(store, 1, 'a');
    await take(store, 1, 'b', T + 101, T + 200);
    await ask(store, (trx) => trx.renewBuckets('a', T + 900));
    same((await store.buckets())[1], { bucket: 1, owner: 'b', epoch: 2, expiresAt: T + 200 });
  },
  'frees the buckets of their owner alone, and keeps counting epochs': async (store) => {
    await take(store, 1, 'a');
    await take(store, 2, 'a');
    await take(store, 3, 'b');
    await ask(store, (trx) => trx.releaseBuckets('a', [2, 3, 50]));
    const owners = (await store.buckets()).slice(1, 4).map(({ owner }) => owner);
    same(owners, ['a', null, 'b']);
    same(await take(store, 2, 'c', T), 2);
  },
  'registers executors, and takes what follows as beats': async (store) => {
    const put = (group: string, address: string, at: number) =>
      ask(store, (trx) => trx.putExecutor(registration(group, address, { at })));
    same(await put('g', 'b', T), 'new');
    same(await put('g', 'a', T + 1), 'new');
    same(await put('f', 'z', T + 2), 'new');
    same(await put('g', 'b', T + 3), 'known');
    same(await store.executors(), [
      registered('f', 'z', T + 2),
      registered('g', 'a', T + 1),
      registered('g', 'b', T, { beatAt: T + 3 }),
    ]);
    same(
      (await store.executors('g')).map(({ address }) => address),
      ['a', 'b'],
    );
    same(await store.executors('h'), []);
  },
  'removes an executor and tells what it was': async (store) => {
    await ask(store, (trx) => trx.putExecutor(registration('g', 'a')));
    const remove = (address: string) =>
      ask(store, (trx) => trx.removeExecutor({ group: 'g', address, nodeOwner: null }));
    same(await remove('A'), null);
    same(await remove('a'), registered('g', 'a', T));
    same(await remove('a'), null);
    same(await store.executors(), []);
  },
  'keeps what an executor announces, as it said last, and tells a restart': async (store) => {
    const put = (change: Parameters<typeof registration>[2]) =>
      ask(store, (trx) => trx.putExecutor(registration('g', 'a', change)));
    const announced = async () => {
      const [{ handlers, instanceId } = registered('', '', T)] = await store.executors();
      return [handlers, instanceId];
    };
    same(await put({ handlers: ['x', 'ä"\u0000'], instanceId: 'one' }), 'new');
    same(await announced(), [['x', 'ä"\u0000'], 'one']);
    same(await put({ handlers: [], instanceId: 'one' }), 'known');
    same(await announced(), [[], 'one']);
    same(await put({ instanceId: 'two' }), 'restarted');
    same(await put({}), 'known');
    same(await announced(), [null, null]);
    same(await put({ instanceId: 'three' }), 'known');
  },
  'shows the executors of a node while the node is there, alive as it is': async (store) => {
    await ask(store, (trx) => trx.heartbeat({ owner: 'one', nodeId: 'n', beatAt: T + 7 }));
    const put = (nodeOwner: string) =>
      ask(store, (trx) => trx.putExecutor(registration('g', 'a', { nodeOwner, nodeId: `label of ${nodeOwner}` })));
    same([await put('one'), await put('two'), await put('one')], ['new', 'new', 'known']);
    await ask(store, (trx) => trx.putExecutor(registration('g', 'a')));
    const local = { nodeOwner: 'one', nodeId: 'label of one' };
    same(await store.executors('g'), [registered('g', 'a', T), registered('g', 'a', T, { beatAt: T + 7, ...local })]);
    same((await store.lostExecutors({ beatBefore: T + 100, limit: 9 })).length, 1);
    await ask(store, (trx) => trx.removeExecutor({ group: 'g', address: 'a', nodeOwner: 'two' }));
    await ask(store, (trx) => trx.removeNode('one'));
    await ask(store, (trx) => trx.heartbeat({ owner: 'one', nodeId: 'n', beatAt: T + 8 }));
    same(await store.executors('g'), [registered('g', 'a', T)]);
  },
  'finds the executors that have not been heard of, by group and address': async (store) => {
    const executors = [
      { group: 'g', address: 'b', at: T },
      { group: 'g', address: 'a', at: T + 1 },
      { group: 'f', address: 'c', at: T + 1 },
      { group: 'f', address: 'd', at: T + 2 },
    ];
    for (const { group, address, at } of executors) {
      await ask(store, (trx) => trx.putExecutor(registration(group, address, { at })));
    }
    const lost = async (limit: number) =>
      (await store.lostExecutors({ beatBefore: T + 2, limit })).map(({ group, address }) => group + address);
    same(await lost(10), ['fc', 'ga', 'gb']);
    same(await lost(2), ['fc', 'ga']);
  },
  'tells executors apart whose groups and addresses look alike': async (store) => {
    const texts = ['a', 'A', 'a ', 'ä', 'a\u0308', 'x'.repeat(2_000), ...hostileTexts];
    for (const text of texts) {
      same(await ask(store, (trx) => trx.putExecutor(registration(text, text))), 'new');
    }
    const addresses = (await store.executors()).map(({ address }) => address);
    same(
      addresses,
      [...texts].sort((a, b) => (a < b ? -1 : 1)),
    );
    same(
      (await store.executors('a ')).map(({ address }) => address),
      ['a '],
    );
  },
};

function registered(
  group: string,
  address: string,
  registeredAt: number,
  change: Partial<RegisteredExecutor> = {},
): RegisteredExecutor {
  const nobody = { nodeOwner: null, nodeId: null, handlers: null, instanceId: null };
  return { group, address, registeredAt, beatAt: registeredAt, ...nobody, ...change };
}
