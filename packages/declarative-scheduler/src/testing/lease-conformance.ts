import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import { type Claimant, type ClaimOutcome, type Holder, type Lease, LeaseLostError } from '../store/lease.js';
import type { TaskStore } from '../store/task-store.js';
import { expectStored, full } from './stored-records.js';

type Check = (store: TaskStore) => Promise<void>;

/** The further requirements on a store with `claim`; a store without it passes. */
export const leaseCases: Readonly<Record<string, Check>> = {
  'grants a free lease, and names its holder to everybody else': withClaim(async (store) => {
    await granted(store, claimant('a'));
    const { holder } = await held(store, claimant('b'));
    const { owner, host, pid, machine, processStart } = holder;
    deepStrictEqual({ owner, host, pid, machine, processStart }, claimant('a'));
  }),
  'grants one of many claims that are made at once': withClaim(async (store) => {
    const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => store.claim!(claimant(owner))));
    deepStrictEqual(outcomes.filter(({ kind }) => kind === 'granted').length, 1);
  }),
  'shows every renewal to who reads the lease': withClaim(async (store) => {
    const lease = await granted(store, claimant('a'));
    const before = await held(store, claimant('b'));
    ok(await lease.renew());
    const after = await held(store, claimant('b'));
    ok(after.holder.heartbeat !== before.holder.heartbeat, 'the heartbeat changes');
    deepStrictEqual(after.holder.fence, lease.fence);
  }),
  'lets a holder be replaced only as it was read': withClaim(async (store) => {
    const first = await granted(store, claimant('a'));
    const stale = (await held(store, claimant('b'))).holder;
    ok(await first.renew());
    await held(store, claimant('b'), stale);
    const second = await granted(store, claimant('b'), (await held(store, claimant('b'))).holder);
    ok(second.fence > first.fence, 'the fence grows');
    deepStrictEqual(await first.renew(), false);
    ok(await second.renew());
  }),
  'frees a released lease at once, for a higher fence, and only for its owner': withClaim(async (store) => {
    const first = await granted(store, claimant('a'));
    await first.release();
    const second = await granted(store, claimant('b'));
    ok(second.fence > first.fence, 'the fence grows');
    await first.release();
    await held(store, claimant('c'));
    deepStrictEqual(await first.renew(), false);
  }),
  'refuses writes under an old fence, and changes nothing': withClaim(async (store) => {
    const first = await granted(store, claimant('a'));
    await store.apply({ remove: [], put: [full('a')] }, first.fence);
    const second = await granted(store, claimant('b'), (await held(store, claimant('b'))).holder);
    await rejects(store.save([full('a', { attempt: 9 })], first.fence), LeaseLostError);
    await rejects(store.apply({ remove: ['a'], put: [full('b')] }, first.fence), LeaseLostError);
    await expectStored(store, [full('a')]);
    await store.save([full('a', { attempt: 5, paused: true })], second.fence);
    await expectStored(store, [full('a', { attempt: 5, paused: true })]);
  }),
  'refuses writes under a fence that was released': withClaim(async (store) => {
    const lease = await granted(store, claimant('a'));
    await lease.release();
    await rejects(store.save([full('a')], lease.fence), LeaseLostError);
    await expectStored(store, []);
  }),
};

function withClaim(check: Check): Check {
  return async (store) => {
    if (store.claim !== undefined) await check(store);
  };
}

function claimant(owner: string): Claimant {
  return { owner, host: `host of ${owner}`, pid: 4_242, machine: 'machine 1', processStart: '77' };
}

async function granted(store: TaskStore, by: Claimant, over?: Holder): Promise<Lease> {
  const outcome = await store.claim!(by, over);
  deepStrictEqual(outcome.kind, 'granted');
  return (outcome as ClaimOutcome & { kind: 'granted' }).lease;
}

async function held(store: TaskStore, by: Claimant, over?: Holder): Promise<ClaimOutcome & { kind: 'held' }> {
  const outcome = await store.claim!(by, over);
  deepStrictEqual(outcome.kind, 'held');
  return outcome as ClaimOutcome & { kind: 'held' };
}
