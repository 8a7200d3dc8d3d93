import { ask, hostileTexts, type StoreCases, same, T } from './conformance-stage.js';
import type { JobStore } from './job-store.js';

const take = (store: JobStore, bucket: number, owner: string, now = T, expiresAt = T + 100) =>
  ask(store, (trx) => trx.takeBucket(bucket, owner, now, expiresAt));

const byOwner = async (store: JobStore) =>
  [...(await store.nodes())].sort((a, b) => (a.owner < b.owner ? -1 : Number(a.owner > b.owner)));

export const nodeCases: StoreCases = {
  'remembers the last sign of life of every node': async (store) => {
    await ask(store, (trx) => trx.beat({ owner: 'a', nodeId: 'one', beatAt: T }));
    await ask(store, (trx) => trx.beat({ owner: 'b', nodeId: 'two "quoted"', beatAt: T + 1 }));
    await ask(store, (trx) => trx.beat({ owner: 'a', nodeId: 'one', beatAt: T + 2 }));
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
    await ask(store, (trx) => trx.beat({ owner: 'a', nodeId: 'one', beatAt: T }));
    await ask(store, (trx) => trx.keepNode({ owner: 'a', nodeId: 'one', beatAt: T + 5 }));
    await ask(store, (trx) => trx.keepNode({ owner: 'b', nodeId: 'two', beatAt: T + 5 }));
    same(await byOwner(store), [
      { owner: 'a', nodeId: 'one', beatAt: T },
      { owner: 'b', nodeId: 'two', beatAt: T + 5 },
    ]);
  },
  'holds those of the nodes that are still there': async (store) => {
    for (const owner of ['c', 'a', 'b']) await ask(store, (trx) => trx.beat({ owner, nodeId: owner, beatAt: T }));
    const held = await ask(store, (trx) => trx.holdNodes(['c', 'gone', 'a']));
    same(
      held.map(({ owner }) => owner),
      ['a', 'c'],
    );
    same(await ask(store, (trx) => trx.holdNodes([])), []);
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
    same(await ask(store, (trx) => trx.holdBuckets('a')), [
      { bucket: 3, owner: 'a', epoch: 1, expiresAt: T + 500 },
      { bucket: 9, owner: 'a', epoch: 1, expiresAt: T + 500 },
    ]);
    same((await store.buckets())[4]?.expiresAt, T + 100);
    same(await ask(store, (trx) => trx.holdBuckets('nobody')), []);
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
      ask(store, (trx) => trx.putExecutor({ group, address, at }));
    same(await put('g', 'b', T), 'new');
    same(await put('g', 'a', T + 1), 'new');
    same(await put('f', 'z', T + 2), 'new');
    same(await put('g', 'b', T + 3), 'known');
    same(await store.executors(), [
      { group: 'f', address: 'z', registeredAt: T + 2, beatAt: T + 2 },
      { group: 'g', address: 'a', registeredAt: T + 1, beatAt: T + 1 },
      { group: 'g', address: 'b', registeredAt: T, beatAt: T + 3 },
    ]);
    same(
      (await store.executors('g')).map(({ address }) => address),
      ['a', 'b'],
    );
    same(await store.executors('h'), []);
  },
  'removes an executor and tells what it was': async (store) => {
    await ask(store, (trx) => trx.putExecutor({ group: 'g', address: 'a', at: T }));
    const remove = (address: string) => ask(store, (trx) => trx.removeExecutor('g', address));
    same(await remove('A'), null);
    same(await remove('a'), { group: 'g', address: 'a', registeredAt: T, beatAt: T });
    same(await remove('a'), null);
    same(await store.executors(), []);
  },
  'finds the executors that have not been heard of, by group and address': async (store) => {
    const executors = [
      { group: 'g', address: 'b', at: T },
      { group: 'g', address: 'a', at: T + 1 },
      { group: 'f', address: 'c', at: T + 1 },
      { group: 'f', address: 'd', at: T + 2 },
    ];
    for (const executor of executors) await ask(store, (trx) => trx.putExecutor(executor));
    const lost = async (limit: number) =>
      (await store.lostExecutors({ beatBefore: T + 2, limit })).map(({ group, address }) => group + address);
    same(await lost(10), ['fc', 'ga', 'gb']);
    same(await lost(2), ['fc', 'ga']);
  },
  'tells executors apart whose groups and addresses look alike': async (store) => {
    const texts = ['a', 'A', 'a ', 'ä', 'a\u0308', 'x'.repeat(2_000), ...hostileTexts];
    for (const text of texts) {
      same(await ask(store, (trx) => trx.putExecutor({ group: text, address: text, at: T })), 'new');
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
