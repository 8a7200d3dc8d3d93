import { describe, expect, test } from 'vitest';
import { createRingStage, deferred, EVERY_SECOND, held, START, states } from '../support/ring-stage.js';

describe('results', () => {
  test.each([
    {
      story: 'a text becomes the message',
      handler: () => 'forty-two',
      run: { state: 'succeeded', code: 200, message: 'forty-two' },
    },
    {
      story: 'anything else is no message',
      handler: () => ({ n: 1 }),
      run: { state: 'succeeded', code: 200, message: null },
    },
    {
      story: 'an error is a failure with its message',
      handler: () => {
        throw new Error('disk is red');
      },
      run: { state: 'failed', code: 500, message: 'disk is red' },
    },
    {
      story: 'a rejected text is a failure',
      handler: () => Promise.reject('no'),
      run: { state: 'failed', code: 500, message: 'no' },
    },
  ])('$story', async ({ handler, run }) => {
    await using stage = await createRingStage();
    await stage.executor({ work: handler });
    const { id } = await stage.ring.jobs.trigger((await stage.job({})).id);
    await stage.clock.settle();
    expect(await stage.ring.runs.get(id)).toMatchObject({
      ...run,
      firedAt: START,
      startedAt: START,
      endedAt: START,
      address: 'local:1',
    });
    expect(stage.names().slice(-2)).toEqual(['run-started', `run-${run.state}`]);
  });

  test.each([
    { story: 'no executor', handlers: null, waitingFor: 'executor' },
    { story: 'an unknown handler', handlers: { other: () => {} }, waitingFor: 'handler' },
    {
      story: 'a handler from Object.prototype',
      handlers: { other: () => {} },
      name: 'toString',
      waitingFor: 'handler',
    },
  ])('$story: waits, and fails with 500 after waitMs', async ({ handlers, name, waitingFor }) => {
    await using stage = await createRingStage();
    if (handlers !== null) await stage.executor(handlers);
    await stage.ring.jobs.trigger(
      (await stage.job({ waitMs: 2_500, ...(name === undefined ? {} : { handler: name }) })).id,
    );
    await stage.clock.advanceBy(2_000);
    expect((await stage.runs())[0]).toMatchObject({ state: 'pending', waitingFor, attempt: 1 });
    expect(stage.ring.health().waiting).toMatchObject({ [waitingFor]: 1 });
    expect(stage.names().filter((event) => event === 'run-waiting')).toHaveLength(1);
    await stage.clock.advanceBy(2_000);
    const message = 'No executor of the group "default" has taken it within 2.5 s';
    expect((await stage.runs())[0]).toMatchObject({ state: 'failed', code: 500, message, waitingFor: null });
  });

  test('a failed run is retried with the same fire, time, shard and params; attempts count up; killed runs are not retried', async () => {
    await using stage = await createRingStage();
    const seen: unknown[] = [];
    await stage.executor({
      work: ({ attempt, fireId, params, scheduleTime, triggerType }) => {
        seen.push([attempt, fireId, params, scheduleTime, triggerType]);
        throw new Error('again');
      },
    });
    const { id } = await stage.job({ retries: 2, retry: { kind: 'exponential', jitter: 0 } });
    const run = await stage.ring.jobs.trigger(id, { params: 'p', scheduleTime: START - 1 });
    await stage.clock.advanceBy(999);
    expect(seen).toHaveLength(1);
    await stage.clock.advanceBy(1);
    expect(seen).toHaveLength(2);
    // The second attempt has failed at once: the third waits for its time already.
    expect((await stage.runs({ fireId: run.id })).slice(1)).toMatchObject([
      { attempt: 2, state: 'failed', dueAt: START + 1_000 },
      { attempt: 3, state: 'pending', dueAt: START + 3_000 },
    ]);
    await stage.clock.advanceBy(1_999);
    expect(seen).toHaveLength(2);
    await stage.clock.advanceBy(1);
    expect(seen).toEqual([
      [1, run.id, 'p', START - 1, 'manual'],
      [2, run.id, 'p', START - 1, 'retry'],
      [3, run.id, 'p', START - 1, 'retry'],
    ]);
    expect((await stage.runs({ fireId: run.id })).map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
    ]);
    expect(stage.ring.metrics()).toMatchObject({ failed: 3, retried: 2 });
  });

  test('a run over its time limit is aborted and failed with 502', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    await stage.ring.jobs.trigger((await stage.job({ timeoutMs: 1_500 })).id);
    await stage.clock.advanceBy(1_499);
    expect(await states(stage)).toEqual(['running']);
    await stage.clock.advanceBy(1);
    expect((await stage.runs())[0]).toMatchObject({ state: 'failed', code: 502, message: 'Timed out after 1500 ms' });
    expect(runs[0]!.signal.aborted).toBe(true);
    runs[0]!.go.resolve('too late');
    await stage.clock.settle();
    expect((await stage.runs())[0]).toMatchObject({ code: 502 });
  });

  test('a success triggers each child once, in whatever state the child is, with the schedule time of its origin', async () => {
    await using stage = await createRingStage();
    const seen: unknown[] = [];
    await stage.executor({
      work: () => {},
      child: ({ scheduleTime, triggerType, params, fireId, runId }) =>
        void seen.push([scheduleTime, triggerType, params, fireId === runId]),
      fails: () => Promise.reject(new Error('no')),
    });
    const child = await stage.job({ name: 'child', params: 'mine' });
    const parent = await stage.job({ children: [child.id] });
    const failing = await stage.job({ name: 'fails', children: [child.id] });
    await stage.ring.jobs.trigger(parent.id, { scheduleTime: START - 7 });
    await stage.ring.jobs.trigger(failing.id);
    await stage.clock.settle();
    expect(seen).toEqual([[START - 7, 'child', 'mine', true]]);
  });

  test('log lines are kept in order and can be read on from a line', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({
      work: (context) => {
        context.log('one');
        context.log('<b>two</b>');
        return handler(context);
      },
    });
    const { id } = await stage.ring.jobs.trigger((await stage.job({})).id);
    await stage.clock.settle();
    expect(await stage.ring.runs.log(id)).toEqual({ lines: ['one', '<b>two</b>'], nextLine: 2, end: false });
    runs[0]!.go.resolve(undefined);
    await stage.clock.settle();
    expect(await stage.ring.runs.log(id, { fromLine: 1 })).toEqual({ lines: ['<b>two</b>'], nextLine: 2, end: true });
    await expect(stage.ring.runs.log(99)).rejects.toMatchObject({ code: 'unknown-run' });
  });

  test('texts that a database cannot keep do not lose a result', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => 'nul \u0000 half \ud800' });
    await stage.ring.jobs.trigger((await stage.job({ params: { text: '\u0000\ud800 "quoted" 😀' } })).id);
    await stage.clock.settle();
    expect((await stage.runs())[0]).toMatchObject({ state: 'succeeded', message: 'nul \ufffd half \ufffd' });
  });
});

describe('kill', () => {
  test.each(['running', 'queued'] as const)('a %s run is killed and not retried', async (state) => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    const { id } = await stage.job({ retries: 5 });
    await stage.ring.jobs.trigger(id);
    await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    const victim = (await stage.runs({ state }))[0]!;
    expect(await stage.ring.runs.kill(victim.id)).toBe(true);
    expect(await stage.ring.runs.get(victim.id)).toMatchObject({ state: 'killed', code: 500 });
    expect(await stage.ring.runs.kill(victim.id)).toBe(false);
    await stage.clock.settle();
    expect(runs.find(({ runId }) => runId === victim.id)?.signal.aborted ?? true).toBe(true);
    expect((await stage.runs()).filter(({ triggerType }) => triggerType === 'retry')).toEqual([]);
    expect(stage.names()).toContain('run-killed');
  });

  test('a pending run in the ring is killed and never fires', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    await stage.job({ schedule: { kind: 'cron', expression: '4 0 0 1 1 ?' }, start: true });
    await stage.clock.advanceBy(1_000);
    expect(await stage.ring.runs.kill(1)).toBe(true);
    await stage.clock.advanceBy(5_000);
    expect(runs).toEqual([]);
    expect(await states(stage)).toEqual(['killed']);
    await expect(stage.ring.runs.kill(77)).rejects.toMatchObject({ code: 'unknown-run' });
  });

  test('two kills at once are one end, told once, even when writing it has to be tried again', async () => {
    const busy = deferred();
    const fates = [() => busy.promise, () => Promise.reject(new Error('The database is away'))];
    await using stage = await createRingStage({
      onStep: (step) => (step === 'record' ? fates.shift()?.() : undefined),
    });
    await stage.job({ schedule: { kind: 'cron', expression: '8,9 0 0 1 1 ?' }, start: true });
    await stage.clock.advanceBy(5_000);
    const other = stage.ring.runs.kill(1);
    await stage.clock.settle();
    // These two wait for the write before them, and so are written together.
    const kills = [stage.ring.runs.kill(2), stage.ring.runs.kill(2)];
    await stage.clock.settle();
    busy.resolve();
    await stage.clock.advanceBy(1_000);
    expect([await other, ...(await Promise.all(kills))]).toEqual([true, true, false]);
    expect(stage.names().filter((name) => name === 'run-killed')).toHaveLength(2);
  });
});

describe('sharding broadcast', () => {
  const broadcast = { route: 'SHARDING_BROADCAST' } as const;

  test('every executor gets its index and the total, under one fire id; a trigger gives shard 0', async () => {
    await using stage = await createRingStage();
    const seen: string[] = [];
    for (const address of ['c', 'a', 'b']) {
      await stage.executor(
        { work: ({ shardIndex, shardTotal }) => void seen.push(`${address} ${shardIndex}/${shardTotal}`) },
        address,
      );
    }
    const { id } = await stage.job({
      ...broadcast,
      schedule: { kind: 'cron', expression: '2 0 0 1 1 ?' },
      start: true,
    });
    const run = await stage.ring.jobs.trigger(id);
    expect(run).toMatchObject({ shardIndex: 0, shardTotal: 3 });
    await stage.clock.settle();
    expect(seen.splice(0).sort()).toEqual(['a 0/3', 'b 1/3', 'c 2/3']);
    expect((await stage.runs({ fireId: run.id })).map(({ shardIndex, address }) => [shardIndex, address])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    await stage.clock.advanceBy(2_000);
    expect(seen.sort()).toEqual(['a 0/3', 'b 1/3', 'c 2/3']);
    const scheduled = await stage.runs({ triggerType: 'schedule' });
    expect(new Set(scheduled.map(({ fireId }) => fireId)).size).toBe(1);
  });

  test('a retried shard keeps its index and goes to the address there, and the child comes once all shards have succeeded', async () => {
    await using stage = await createRingStage();
    const seen: string[] = [];
    let failures = 1;
    for (const address of ['a', 'b']) {
      await stage.executor(
        {
          work: ({ shardIndex, attempt }) => {
            seen.push(`${address} ${shardIndex} #${attempt}`);
            if (shardIndex === 1 && failures-- > 0) throw new Error('once');
          },
          child: () => void seen.push('child'),
        },
        address,
      );
    }
    const child = await stage.job({ name: 'child' });
    const { id } = await stage.job({ ...broadcast, retries: 1, children: [child.id] });
    await stage.ring.jobs.trigger(id);
    await stage.clock.advanceBy(1_000);
    expect(seen).toEqual(['a 0 #1', 'b 1 #1', 'b 1 #2', 'child']);
  });
});

test('runs are listed highest id first, in pages, by job, fire, state, type and schedule time', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
  await stage.clock.advanceTo(START + 3_000);
  await stage.ring.jobs.trigger(id);
  await stage.clock.settle();
  const all = await stage.ring.runs.list();
  expect(all.runs.map((run) => run.id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const page = await stage.ring.runs.list({ limit: 4 });
  const next = await stage.ring.runs.list({ limit: 4, cursor: page.cursor! });
  expect([page.runs.map((run) => run.id), next.runs.map((run) => run.id)]).toEqual([
    [9, 8, 7, 6],
    [5, 4, 3, 2],
  ]);
  const ids = async (query: object) => (await stage.runs(query)).map((run) => run.id);
  expect(await ids({ jobId: 2 })).toEqual([]);
  expect(await ids({ state: 'pending' })).toEqual([4, 5, 6, 7, 8]);
  expect(await ids({ triggerType: 'manual' })).toEqual([9]);
  expect(await ids({ from: START + 2_000, to: START + 4_000 })).toEqual([2, 3]);
  expect(await ids({ fireId: 5 })).toEqual([5]);
  await expect(stage.ring.runs.list({ limit: 1_001 })).rejects.toMatchObject({ code: 'bad-option' });
  await expect(stage.ring.runs.list({ state: 'lost' as never })).rejects.toMatchObject({ code: 'bad-option' });
});
