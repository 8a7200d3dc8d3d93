import { startTestGalera, type TestCluster } from '@horae/clock-store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClaimOutcome, TaskRecord, TaskStore } from '../../src/index.js';
import { sqlTaskStore } from '../../src/sql.js';

let cluster: TestCluster | 'unavailable';
beforeAll(async () => {
  cluster = await startTestGalera(2);
}, 120_000);
afterAll(async () => {
  if (cluster !== 'unavailable') await cluster.stop();
});

const ROUNDS = 40;

function record(attempt: number): TaskRecord {
  return {
    name: 'a',
    cron: '* * * * *',
    retryDelayMs: 0,
    registeredAt: 0,
    handledUntil: 0,
    lastAttemptAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    pendingRetryUntil: null,
    attempt,
    runningSchedulerId: null,
    paused: false,
  };
}

const claimant = (owner: string) => ({ owner, host: owner, pid: 1, machine: owner, processStart: '' });

test('I16: on a Galera cluster a leader whose lease is taken on another member writes nothing after that', {
  timeout: 60_000,
}, async (context) => {
  if (cluster === 'unavailable')
    return context.skip('Galera is not installed here; HORAE_REQUIRE_GALERA=1 makes this a failure');
  const stores = cluster.urls.map((url) => sqlTaskStore(url)) as [TaskStore, TaskStore];
  let leads = (await stores[0].claim!(claimant('first'))) as ClaimOutcome & { kind: 'granted' };
  await stores[0].save([record(0)], leads.lease.fence);
  for (let round = 1; round <= ROUNDS; round++) {
    const [old, next] = round % 2 === 1 ? stores : ([stores[1], stores[0]] as const);
    const saving = old.save([record(round)], leads.lease.fence).then(
      () => 'saved' as const,
      () => 'refused' as const,
    );
    const found = (await next.claim!(claimant(`round ${round}`))) as ClaimOutcome & { kind: 'held' };
    let taken = await next.claim!(claimant(`round ${round}`), found.holder);
    // The write of the leader was a heartbeat, so the lease is taken as it is now.
    while (taken.kind === 'held') taken = await next.claim!(claimant(`round ${round}`), taken.holder);
    const seen = (await next.load()) as TaskRecord[];
    const saved = await saving;
    if (saved === 'saved')
      expect(seen, 'what was saved was saved before the takeover').toMatchObject([{ attempt: round }]);
    leads = taken;
    await next.save([record(round)], leads.lease.fence);
    await expect(old.save([record(-1)], leads.lease.fence - 1)).rejects.toMatchObject({ code: 'lease-lost' });
  }
  for (const store of stores) await store.close();
});
