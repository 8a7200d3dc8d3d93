import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createExecutor, lockRow, startTimeRing, type TimeRing } from '../../src/index.js';
import {
  createRingStage,
  createStage,
  deferred,
  EVERY_SECOND,
  listen,
  NEVER,
  START,
  seconds,
} from '../support/ring-stage.js';

const everySecond = { name: 'work', handler: 'work', schedule: EVERY_SECOND, start: true } as const;

/** A node whose process has died: its loops never get another turn, and what it still says is not written. */
function dying() {
  let isDead = false;
  const grave = deferred();
  return {
    onStep: () => (isDead ? grave.promise : undefined),
    die: () => {
      isDead = true;
    },
    /** It was only frozen: it goes on where it stood. */
    revive: () => {
      isDead = false;
      grave.resolve();
    },
    [Symbol.dispose]: () => grave.reject(new Error('dead')),
  };
}

describe.each(['lock-row', 'buckets'] as const)('claim mode %s', (claim) => {
  test('two nodes fire every occurrence once', async () => {
    await using stage = await createStage();
    const fired: (number | null)[] = [];
    for (let i = 0; i < 2; i++) {
      const ring = await stage.node({ claim });
      await createExecutor({ ring, handlers: { work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) } });
      if (i === 0) await ring.jobs.add(everySecond);
    }
    await stage.clock.advanceTo(START + 8_000);
    expect(fired.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("a dead node's runs are taken over within lease + 1 s, with the same id and attempt, and its result is refused", async () => {
    await using stage = await createStage();
    using life = dying();
    const gate = deferred<string>();
    const first = await stage.node({ claim, onStep: life.onStep });
    await createExecutor({ ring: first, handlers: { work: () => gate.promise } });
    const { id } = await first.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    await stage.clock.advanceTo(START + 1_500);
    const run = await first.jobs.trigger(id);
    await stage.clock.settle();
    expect(await first.runs.get(run.id)).toMatchObject({ state: 'running' });
    life.die();
    const second = await stage.node({ claim });
    const taken: number[] = [];
    await createExecutor({
      ring: second,
      handlers: { work: ({ runId, attempt }) => void taken.push(runId, attempt, stage.clock.now()) },
    });
    await stage.clock.advanceTo(START + 4_000);
    expect(taken).toEqual([]);
    await stage.clock.advanceTo(START + 5_000);
    expect(taken).toEqual([run.id, 1, START + 5_000]);
    expect(await second.runs.get(run.id)).toMatchObject({ state: 'succeeded', attempt: 1 });
    const heard = listen(first);
    life.revive();
    gate.resolve('too late');
    await stage.clock.advanceBy(2_000);
    const refused = { name: 'result-refused', event: { runId: run.id, reason: 'already-over' } };
    expect(heard.filter(({ name }) => name === 'result-refused')).toEqual([refused]);
    expect(await second.runs.get(run.id)).toMatchObject({ state: 'succeeded', message: null });
  });

  test('what a node is asked for that others have removed as dead is found when it dies', async () => {
    await using stage = await createStage();
    using life = dying();
    const first = await stage.node({ claim, onStep: life.onStep });
    const { id } = await first.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    await stage.clock.advanceTo(START + 1_500);
    life.die();
    const second = await stage.node({ claim });
    const done: number[] = [];
    await createExecutor({ ring: second, handlers: { work: ({ runId }) => void done.push(runId) } });
    await stage.clock.advanceBy(10_000);
    const run = await first.jobs.trigger(id);
    await stage.clock.advanceBy(10_000);
    expect(done).toEqual([run.id]);
    expect(await second.runs.get(run.id)).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  test('the successor of a node that was alone and idle goes on within a lease and two seconds', async () => {
    await using stage = await createStage();
    using life = dying();
    const first = await stage.node({ claim, onStep: life.onStep });
    const { id } = await first.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    await stage.clock.advanceBy(60_000);
    life.die();
    const second = await stage.node({ claim });
    const fired: (number | null)[] = [];
    await createExecutor({
      ring: second,
      handlers: { work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) },
    });
    await second.jobs.update(id, { schedule: EVERY_SECOND });
    await second.jobs.start(id);
    await stage.clock.advanceBy(5_000);
    if (claim === 'buckets') expect(second.health().buckets).toHaveLength(64);
    await stage.clock.advanceBy(5_000);
    expect(fired).toEqual([61, 62, 63, 64, 65, 66, 67, 68, 69, 70]);
  });

  test('a node that dies while the clock is set back by an hour is found dead all the same', async () => {
    await using stage = await createStage(START + 3_600_000);
    using life = dying();
    const first = await stage.node({ claim, onStep: life.onStep });
    const gate = deferred();
    await createExecutor({ ring: first, handlers: { work: () => gate.promise } });
    const { id } = await first.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    await stage.clock.advanceBy(1_500);
    const run = await first.jobs.trigger(id);
    await stage.clock.settle();
    const second = await stage.node({ claim });
    const taken: number[] = [];
    await createExecutor({ ring: second, handlers: { work: ({ runId }) => void taken.push(runId) } });
    await stage.clock.advanceBy(500);
    life.die();
    await stage.clock.jumpTo(START);
    await stage.clock.advanceBy(6_000);
    expect(taken).toEqual([run.id]);
    if (claim === 'buckets') expect(second.health().buckets).toHaveLength(64);
  });

  test('a stopping node hands back what is claimed and unfired, and another one fires it at once', async () => {
    await using stage = await createStage();
    const fired: (number | null)[] = [];
    const nodes: TimeRing[] = [];
    for (let i = 0; i < 2; i++) {
      const ring = await stage.node({ claim });
      await createExecutor({ ring, handlers: { work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) } });
      nodes.push(ring);
    }
    await nodes[0]!.jobs.add(everySecond);
    await stage.clock.advanceTo(START + 2_500);
    await nodes[0]!.stop();
    await stage.clock.advanceTo(START + 8_000);
    expect(fired.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('the mode is recorded: a node that starts in the other mode refuses', async () => {
    await using stage = await createStage();
    await stage.node({ claim });
    const other = claim === 'buckets' ? 'lock-row' : 'buckets';
    await expect(stage.node({ claim: other })).rejects.toMatchObject({ code: 'claim-mode-mismatch' });
  });
});

describe('the lock row', () => {
  const drop = (stage: Awaited<ReturnType<typeof createStage>>) =>
    sql`delete from ${sql.table(lockRow.table)} where ${sql.ref(lockRow.column)} = ${lockRow.value}`.execute(
      stage.database.kysely,
    );

  test('absent at start: a named error, and it is never put back', async () => {
    await using stage = await createStage();
    await (await stage.node()).stop();
    await drop(stage);
    for (let i = 0; i < 2; i++) await expect(stage.node()).rejects.toMatchObject({ code: 'lock-row-missing' });
  });

  test('absent later: passes fail until the row is back', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    await stage.ring.jobs.add(everySecond);
    await stage.clock.advanceTo(START + 1_000);
    await drop(stage);
    await stage.clock.advanceTo(START + 3_000);
    expect(stage.ring.health()).toMatchObject({ status: 'degraded', problem: expect.stringContaining(lockRow.table) });
    expect(stage.names().filter((name) => name === 'pass-failed')).toHaveLength(2);
    await sql`insert into ${sql.table(lockRow.table)} (${sql.ref(lockRow.column)}) values (${lockRow.value})`.execute(
      stage.database.kysely,
    );
    await stage.clock.advanceTo(START + 8_000);
    expect(stage.ring.health()).toMatchObject({ status: 'ok', problem: null });
    expect((await stage.runs({ state: 'succeeded' })).map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });
});

describe('buckets', () => {
  const claim = 'buckets' as const;
  const sizes = (nodes: readonly TimeRing[]) => nodes.map((ring) => ring.health().buckets.length).sort((a, b) => a - b);

  test('3 to 5 to 2 nodes: each owns floor(64 / n) or one more within two leases, and all buckets are owned', async () => {
    await using stage = await createStage();
    const nodes: TimeRing[] = [];
    for (let i = 0; i < 3; i++) nodes.push(await stage.node({ claim }));
    await stage.clock.advanceBy(6_000);
    expect(sizes(nodes)).toEqual([21, 21, 22]);
    for (let i = 0; i < 2; i++) nodes.push(await stage.node({ claim }));
    await stage.clock.advanceBy(6_000);
    expect(sizes(nodes)).toEqual([12, 13, 13, 13, 13]);
    await Promise.all(nodes.splice(0, 3).map((ring) => ring.stop()));
    await stage.clock.advanceBy(6_000);
    expect(sizes(nodes)).toEqual([32, 32]);
    expect(new Set(nodes.flatMap((ring) => ring.health().buckets)).size).toBe(64);
  });

  test("a dead node's buckets are taken under the next epoch after its lease", async () => {
    await using stage = await createStage();
    using life = dying();
    const first = await stage.node({ claim, onStep: life.onStep });
    const heardFirst = listen(first);
    await stage.clock.advanceTo(START + 1_000);
    expect(first.health().buckets).toHaveLength(64);
    life.die();
    const second = await stage.node({ claim });
    const heard = listen(second);
    await stage.clock.advanceTo(START + 4_000);
    expect(second.health().buckets).toHaveLength(0);
    await stage.clock.advanceTo(START + 5_000);
    expect(second.health().buckets).toHaveLength(64);
    expect(heard.filter(({ name }) => name === 'bucket-acquired')[0]).toEqual({
      name: 'bucket-acquired',
      event: { bucket: 0, epoch: 2 },
    });
    expect(heardFirst.find(({ name }) => name === 'bucket-acquired')!.event).toEqual({ bucket: 0, epoch: 1 });
  });

  test('a clean stop releases at once', async () => {
    await using stage = await createStage();
    const first = await stage.node({ claim });
    await stage.clock.advanceBy(1_000);
    await first.stop();
    const second = await stage.node({ claim });
    await stage.clock.advanceBy(1_000);
    expect(second.health().buckets).toHaveLength(64);
  });
});

describe('stop', () => {
  test('waits for its runs, is idempotent, and then every call but metrics, health and stop is refused', async () => {
    await using stage = await createRingStage();
    const gate = deferred();
    await stage.executor({ work: () => gate.promise });
    await stage.ring.jobs.trigger((await stage.job({})).id);
    await stage.clock.settle();
    let isStopped = false;
    const stopping = stage.ring.stop().then(() => {
      isStopped = true;
    });
    await stage.clock.settle();
    expect(isStopped).toBe(false);
    expect(stage.ring.health().status).toBe('stopped');
    for (const call of [
      () => stage.ring.jobs.list(),
      () => stage.ring.jobs.add({} as never),
      () => stage.ring.runs.get(1),
      () => stage.ring.executors.list(),
      () => createExecutor({ ring: stage.ring, handlers: {} }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'stopped' });
    }
    gate.resolve();
    await stopping;
    await stage.ring.stop();
    expect(stage.ring.metrics()).toMatchObject({ succeeded: 1 });
    expect(stage.names()).toContain('run-succeeded');
  });

  test.each([
    { abandon: 'hand-back', first: ['pending', null] },
    { abandon: 'fail', first: ['failed', 500] },
  ] as const)(
    'at the deadline handlers are aborted and runs are handed back; abandon: $abandon',
    async ({ abandon, first }) => {
      await using stage = await createRingStage();
      let signal!: AbortSignal;
      await stage.executor({
        work: (context) => {
          signal = context.signal;
          return new Promise(() => {});
        },
      });
      const { id } = await stage.job({});
      await stage.ring.jobs.trigger(id);
      await stage.ring.jobs.trigger(id);
      await stage.clock.settle();
      const stopping = stage.ring.stop({ deadlineMs: 2_000, abandon });
      await stage.clock.advanceBy(2_000);
      await stopping;
      expect(signal.aborted).toBe(true);
      const other = await stage.node();
      const { runs } = await other.runs.list();
      expect(runs.map(({ state, code }) => [state, code])).toEqual([['pending', null], first]);
      expect(runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
    },
  );

  test('a ring opens and closes a database that it was given as a URL', async () => {
    const ring = await startTimeRing({ database: 'sqlite::memory:' });
    await ring.stop();
    await ring.stop();
  });
});

describe('refused options', () => {
  test.each([
    { field: 'claim', options: { claim: 'both' as never } },
    { field: 'leaseMs', options: { leaseMs: 4_000 } },
    { field: 'misfireMs', options: { misfireMs: 999 } },
    { field: 'preReadMs', options: { preReadMs: -1 } },
    { field: 'slots', options: { slots: 0 } },
    { field: 'drainSlots', options: { drainSlots: 61 } },
    { field: 'batchLimit', options: { batchLimit: 0.5 } },
    { field: 'zone', options: { zone: 'Nowhere/Land' } },
    { field: 'pools.fast.size', options: { pools: { fast: { size: 0, queue: 1 } } } },
    { field: 'nodeId', options: { nodeId: '' } },
  ])('$field: bad-option', async ({ field, options }) => {
    await expect(startTimeRing({ database: 'sqlite::memory:', ...options })).rejects.toMatchObject({
      code: 'bad-option',
      details: { field },
    });
  });

  test('a long lease is fine when misfireMs is given too', async () => {
    await using stage = await createStage();
    await stage.node({ leaseMs: 4_000, misfireMs: 4_000 });
  });
});
