import { expect, onTestFinished, test } from 'vitest';
import { connectTimeRing, createExecutor, type Handler, startTimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage, remoteExecutor } from '../support/network-stage.js';

const byHand = { schedule: { kind: 'none' }, block: 'CONCURRENT', concurrency: 1_000 } as const;

const put = (ring: Pick<Awaited<ReturnType<typeof startTimeRing>>, 'jobs'>, key: string, more: object = {}) =>
  ring.jobs.put({ key, name: key, handler: key, ...byHand, ...more });

async function node(handlers: Record<string, Handler> | null) {
  const ring = await startTimeRing(networkPlace());
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  if (handlers !== null) await createExecutor({ ring, handlers });
  return ring;
}

onEveryDatabase(() => {
  test('a client starts a flow, waits for it and cancels one; the nodes do the work', async () => {
    const client = await connectTimeRing({ database: networkPlace().database });
    onTestFinished(() => client.close());
    await node({ work: ({ params }) => params });
    await put(client, 'work');
    await put(client, 'stuck');
    const { id } = await client.flows.start({
      name: 'from outside',
      steps: { a: { job: 'work', params: 'x' }, b: { job: 'work', after: ['a'], params: { from: 'a' } } },
    });
    const flow = await client.flows.wait(id);
    expect(flow.state).toBe('succeeded');
    expect((await client.runs.get(flow.steps.b!.runId!))!.result).toEqual({ from: 'x' });
    const stuck = await client.flows.start({
      name: 'stuck',
      steps: { a: { job: 'stuck' }, b: { job: 'work', after: ['a'], when: 'over' } },
    });
    expect(await client.flows.cancel(stuck.id)).toBe(true);
    expect(await client.flows.get(stuck.id)).toMatchObject({
      state: 'killed',
      steps: { a: { state: 'killed' }, b: { state: 'skipped', runId: null } },
    });
    expect((await client.flows.list()).flows.map(({ state }) => state)).toEqual(['killed', 'succeeded']);
  });

  test('steps run on the nodes that have their handlers, and end their flow wherever they end', async () => {
    const left = await node({ left: () => 'l' });
    const right = await node({ right: ({ params }) => params });
    await put(left, 'left');
    await put(left, 'right');
    const names = Array.from({ length: 20 }, (_, i) => `step ${i}`);
    const steps = names.map((name, i) => {
      const before = names[i - 1];
      return [name, { job: i % 2 === 0 ? 'left' : 'right', after: before === undefined ? [] : [before] }] as const;
    });
    const { id } = await left.flows.start({ name: 'to and fro', steps: Object.fromEntries(steps) });
    expect((await right.flows.wait(id)).state).toBe('succeeded');
    expect((await left.flows.wait(id)).endedAt).toBe((await right.flows.get(id))!.endedAt);
  });

  test('many steps that end at the same time on two nodes start what follows once', async () => {
    const first = await node({ work: () => 1 });
    const second = await node({ work: () => 1, last: ({ params }) => params });
    await put(first, 'work', { route: 'ROUND' });
    await put(first, 'last');
    const names = Array.from({ length: 60 }, (_, i) => `s${i}`);
    const wide = Object.fromEntries(names.map((name) => [name, { job: 'work' }]));
    const last = { job: 'last', after: names, params: { from: names } };
    const flows = await Promise.all(
      [first, second].map((ring) => ring.flows.start({ name: 'wide', steps: { ...wide, last } })),
    );
    for (const { id } of flows) {
      const flow = await first.flows.wait(id);
      expect(flow.state).toBe('succeeded');
      const run = (await first.runs.get(flow.steps.last!.runId!))!;
      expect(run.result).toEqual({ from: Object.fromEntries(names.map((name) => [name, 1])) });
    }
    expect((await first.runs.list({ jobId: 'last' })).runs.length).toBe(2);
  });

  test('a step on a remote executor is followed, and its handler starts flows through the admin API', async () => {
    const { ring, url } = await networkStage();
    await put(ring, 'far');
    await put(ring, 'deep');
    await remoteExecutor({
      ring: url,
      handlers: {
        far: async ({ ring: { flows } }) => (await flows.start({ name: 'inner', steps: { a: { job: 'deep' } } })).id,
        deep: ({ params }) => params,
      },
    });
    const outer = await ring.flows.start({
      name: 'outer',
      steps: { a: { job: 'far' }, b: { job: 'deep', after: ['a'], params: { from: 'a' } } },
    });
    const flow = await ring.flows.wait(outer.id);
    expect(flow.state, (await ring.runs.get(flow.steps.a!.runId!))!.message!).toBe('succeeded');
    const inner = (await ring.runs.get(flow.steps.a!.runId!))!.result as number;
    expect((await ring.runs.get(flow.steps.b!.runId!))!.params).toEqual({ from: inner });
    expect(await ring.flows.wait(inner)).toMatchObject({ name: 'inner', state: 'succeeded' });
  });

  test('a step that is spread over executors is over with the last of them, as the worst', async () => {
    const { ring } = await networkStage();
    const handlers: Record<string, Handler> = {
      all: ({ shardIndex, params }) => {
        if (params === 'bad' && shardIndex === 1) throw new Error('no');
        return `shard ${shardIndex}`;
      },
      after: ({ params }) => params,
    };
    for (const address of ['x', 'y', 'z']) await createExecutor({ ring, handlers, address });
    await put(ring, 'all', { route: 'SHARDING_BROADCAST' });
    await put(ring, 'after');
    const { id } = await ring.flows.start({
      name: 'spread',
      steps: {
        good: { job: 'all' },
        bad: { job: 'all', params: 'bad' },
        after: { job: 'after', after: ['good'], params: { from: 'good' } },
        clean: { job: 'after', after: ['bad'], when: 'failed' },
        never: { job: 'after', after: ['bad'] },
      },
    });
    const flow = await ring.flows.wait(id);
    expect(Object.values(flow.steps).map(({ state }) => state)).toEqual([
      ...['succeeded', 'failed', 'succeeded', 'succeeded', 'skipped'],
    ]);
    expect((await ring.runs.get(flow.steps.after!.runId!))!.params).toEqual({ from: 'shard 0' });
    expect((await ring.runs.list({ jobId: 'all' })).runs.length).toBe(6);
  });

  test('a step whose job is gone has failed without a run, one with too much to hand in with a run that says so', async () => {
    const { ring } = await networkStage();
    await createExecutor({ ring, handlers: { work: () => 'x'.repeat(60_000) } });
    await put(ring, 'work');
    const { job } = await put(ring, 'gone', { handler: 'nobody has it' });
    const names = Array.from({ length: 80 }, (_, i) => `s${i}`);
    const started = await ring.flows.start({
      name: 'f',
      steps: {
        ...Object.fromEntries(names.map((name) => [name, { job: 'work' }])),
        much: { job: 'work', after: names, params: { from: names } },
        first: { job: 'gone' },
        gone: { job: 'gone', after: ['first'], when: 'over' },
        last: { job: 'work', after: ['much', 'gone'], when: 'failed' },
      },
    });
    await eventually(async () => expect((await ring.flows.get(started.id))!.steps.much!.state).toBe('failed'));
    await ring.jobs.remove(job.id);
    await ring.runs.kill(started.steps.first!.runId!);
    const flow = await ring.flows.wait(started.id);
    expect(flow).toMatchObject({
      state: 'failed',
      steps: { gone: { state: 'failed', runId: null }, last: { state: 'succeeded' }, first: { state: 'killed' } },
    });
    const much = (await ring.runs.get(flow.steps.much!.runId!))!;
    expect(much).toMatchObject({ state: 'failed', code: 500, message: expect.stringContaining('more than 4194304') });
    await expect(ring.runs.retry(much.id)).rejects.toMatchObject({ code: 'not-retryable' });
  });

  test('a flow of 10,000 steps: a fan-out, a fan-in, and all of it once', async () => {
    const { ring } = await networkStage();
    await createExecutor({ ring, handlers: { work: ({ params }) => (params as { n: number } | null)?.n ?? 0 } });
    await put(ring, 'work');
    const names = Array.from({ length: 9_998 }, (_, i) => `s${i}`);
    const wide = names.map((name, n) => [name, { job: 'work', after: ['first'], params: { n } }] as const);
    const { id } = await ring.flows.start({
      name: 'large',
      steps: { first: { job: 'work' }, ...Object.fromEntries(wide), last: { job: 'work', after: names } },
    });
    const flow = await ring.flows.wait(id);
    expect(flow.state).toBe('succeeded');
    const runIds = new Set(Object.values(flow.steps).map(({ runId }) => runId));
    expect(runIds.size).toBe(10_000);
    expect(flow.steps.last!.runId).toBe(Math.max(...(runIds as Set<number>)));
    expect((await ring.runs.list({ limit: 1 })).runs[0]!.id).toBe(flow.steps.last!.runId);
  }, 120_000);
});
