import { expect, test } from 'vitest';
import { createExecutor, type FlowInput, type Handler, type RunContext } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage } from '../support/network-stage.js';

const NO_RETRY = { retries: 0 } as const;
const MANY = { block: 'CONCURRENT', concurrency: 100 } as const;

/** A ring whose jobs have the keys and handlers that are given; each handler's runs are kept by key, in order. */
async function stageWith(handlers: Record<string, Handler>, job: object = NO_RETRY) {
  const { ring } = await networkStage();
  const seen: { key: string; params: unknown; context: RunContext }[] = [];
  const kept = Object.entries(handlers).map(([key, handler]): [string, Handler] => [
    key,
    (context) => {
      seen.push({ key, params: context.params, context });
      return handler(context);
    },
  ]);
  await createExecutor({ ring, handlers: Object.fromEntries(kept) });
  for (const key of Object.keys(handlers)) {
    await ring.jobs.put({ key, name: key, handler: key, schedule: { kind: 'none' }, ...MANY, ...job });
  }
  const run = async (steps: FlowInput['steps']) => ring.flows.wait((await ring.flows.start({ name: 'f', steps })).id);
  const statesOf = async (id: number) =>
    Object.fromEntries(Object.entries((await ring.flows.get(id))!.steps).map(([name, { state }]) => [name, state]));
  return { ring, seen, run, statesOf, order: () => seen.map(({ key }) => key) };
}

const fail = () => {
  throw new Error('no');
};

onEveryDatabase(() => {
  test('a diamond: two steps after one, one after both, with their results as params', async () => {
    const { ring, run, seen } = await stageWith({
      top: () => ({ n: 2 }),
      left: ({ params }) => (params as { from: { n: number } }).from.n + 1,
      right: ({ params }) => (params as { from: { n: number } }).from.n * 10,
      bottom: ({ params }) => params,
    });
    const flow = await run({
      top: { job: 'top', params: { some: 'thing' } },
      left: { job: 'left', after: ['top'], params: { from: 'top' } },
      right: { job: 'right', after: ['top'], params: { from: 'top', extra: true } },
      bottom: { job: 'bottom', after: ['left', 'right'], params: { from: ['left', 'right', 'top'] } },
    });
    expect(flow).toMatchObject({ name: 'f', state: 'succeeded', endedAt: expect.any(Number) });
    expect(Object.keys(flow.steps)).toEqual(['top', 'left', 'right', 'bottom']);
    const given = new Map(seen.map(({ key, params }) => [key, params]));
    expect(given.get('top')).toEqual({ some: 'thing' });
    expect(given.get('right')).toEqual({ from: { n: 2 }, extra: true });
    const { runId, state } = flow.steps.bottom!;
    expect(state).toBe('succeeded');
    expect((await ring.runs.get(runId!))!.result).toEqual({ from: { left: 3, right: 20, top: { n: 2 } } });
    expect(seen.length).toBe(4);
  });

  test('a step starts when its conditions hold and not before, and the flow says where it stands', async () => {
    const { handler, begun, end } = heldHandler();
    const { ring, statesOf, order } = await stageWith({ work: handler, after: () => {} });
    const { id, steps, state } = await ring.flows.start({
      name: 'two',
      steps: { a: { job: 'work' }, b: { job: 'work' }, c: { job: 'after', after: ['a', 'b'] } },
    });
    expect(state).toBe('running');
    expect(steps.c).toEqual({ runId: null, state: 'waiting' });
    const [a, b] = [steps.a!.runId!, steps.b!.runId!];
    await begun(a);
    await begun(b);
    expect(await statesOf(id)).toEqual({ a: 'running', b: 'running', c: 'waiting' });
    end(a);
    await eventually(async () => expect((await statesOf(id)).a).toBe('succeeded'));
    expect(order()).not.toContain('after');
    await expect(ring.flows.wait(id, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'wait-timeout' });
    end(b);
    expect((await ring.flows.wait(id)).state).toBe('succeeded');
    expect(order()).toEqual(['work', 'work', 'after']);
  });

  test('a failure branch runs when something failed, what needed success is skipped, and the flow has failed', async () => {
    const { run, order } = await stageWith({ good: () => 'done', bad: fail, clean: ({ params }) => params });
    const flow = await run({
      good: { job: 'good' },
      bad: { job: 'bad' },
      next: { job: 'good', after: ['good', 'bad'] },
      last: { job: 'good', after: ['next'] },
      clean: { job: 'clean', after: ['good', 'bad'], when: 'failed', params: { from: ['good', 'bad'] } },
      always: { job: 'clean', after: ['last'], when: 'over' },
      never: { job: 'clean', after: ['good'], when: 'failed' },
    });
    expect(flow.state).toBe('failed');
    expect(flow.steps).toMatchObject({
      good: { state: 'succeeded' },
      bad: { state: 'failed' },
      next: { state: 'skipped', runId: null },
      last: { state: 'skipped', runId: null },
      clean: { state: 'succeeded' },
      always: { state: 'succeeded' },
      never: { state: 'skipped', runId: null },
    });
    expect(order().filter((key) => key === 'clean').length).toBe(2);
  });

  test('a map over a list: as many steps as items, and one that gets all results', async () => {
    const { ring, run } = await stageWith({
      item: ({ params }) => (params as { n: number }).n ** 2,
      sum: ({ params }) => Object.values((params as { from: Record<string, number> }).from).reduce((a, b) => a + b, 0),
    });
    const names = Array.from({ length: 40 }, (_, i) => `item ${i}`);
    const items = names.map((name, n) => [name, { job: 'item', params: { n } }] as const);
    const sum = { job: 'sum', after: names, params: { from: names } };
    const flow = await run({ ...Object.fromEntries(items), sum });
    expect((await ring.runs.get(flow.steps.sum!.runId!))!.result).toBe(20_540);
  });

  test('a failed attempt that is retried does not end its step; the flow has the latest attempt', async () => {
    const flaky: Handler = ({ attempt }) => (attempt < 3 ? fail() : attempt);
    const retry = { kind: 'fixed', delayMs: 0 } as const;
    const { run, order } = await stageWith({ flaky, next: () => {} }, { retries: 3, retry });
    const flow = await run({ a: { job: 'flaky' }, b: { job: 'next', after: ['a'], params: { from: 'a' } } });
    expect(flow.state).toBe('succeeded');
    expect(order()).toEqual(['flaky', 'flaky', 'flaky', 'next']);
    expect(flow.steps.a!.runId).toBeGreaterThan(flow.steps.b!.runId! - 3);
  });

  test('a failed step is retried and the flow goes on; what has run stays as it is', async () => {
    let isMended = false;
    const { ring, run, order, statesOf } = await stageWith({
      bad: () => (isMended ? 'mended' : fail()),
      next: ({ params }) => params,
      clean: () => {},
    });
    const failed = await run({
      bad: { job: 'bad' },
      next: { job: 'next', after: ['bad'], params: { from: 'bad' } },
      last: { job: 'next', after: ['next'] },
      clean: { job: 'clean', after: ['bad'], when: 'failed' },
    });
    expect(failed.state).toBe('failed');
    expect(failed.steps.last).toEqual({ state: 'skipped', runId: null });
    isMended = true;
    const retried = await ring.runs.retry(failed.steps.bad!.runId!);
    const flow = await ring.flows.wait(failed.id);
    expect(flow.state).toBe('succeeded');
    expect(await statesOf(flow.id)).toEqual({
      ...{ bad: 'succeeded', next: 'succeeded', last: 'succeeded', clean: 'succeeded' },
    });
    expect(flow.steps.bad!.runId).toBe(retried.id);
    expect((await ring.runs.get(flow.steps.next!.runId!))!.params).toEqual({ from: 'mended' });
    expect(order()).toEqual(['bad', 'clean', 'bad', 'next', 'next']);
  });

  test('cancelling skips what waits, kills what runs and what is pending, and nothing starts any more', async () => {
    const { handler, begun, contexts } = heldHandler();
    const { ring, order } = await stageWith({ work: handler, next: () => {} }, { retries: 5 });
    await ring.jobs.put({ key: 'later', name: 'later', handler: 'nobody has it', schedule: { kind: 'none' } });
    const { id, steps } = await ring.flows.start({
      name: 'long',
      steps: {
        running: { job: 'work' },
        pending: { job: 'later' },
        waiting: { job: 'next', after: ['running'] },
        clean: { job: 'next', after: ['running'], when: 'failed' },
      },
    });
    await begun(steps.running!.runId!);
    expect(await ring.flows.cancel(id)).toBe(true);
    const flow = (await ring.flows.get(id))!;
    expect(flow).toMatchObject({ state: 'killed', endedAt: expect.any(Number) });
    expect(flow.steps).toMatchObject({
      running: { state: 'killed', runId: steps.running!.runId },
      pending: { state: 'killed', runId: steps.pending!.runId },
      waiting: { state: 'skipped', runId: null },
      clean: { state: 'skipped', runId: null },
    });
    expect(contexts[0]!.signal.aborted).toBe(true);
    expect(await ring.flows.cancel(id)).toBe(false);
    expect((await ring.flows.wait(id)).state).toBe('killed');
    await expect(ring.runs.retry(steps.running!.runId!)).rejects.toMatchObject({
      code: 'not-retryable',
      message: expect.stringContaining('its flow was cancelled'),
    });
    expect(order()).toEqual(['work']);
  });

  test('a killed run is a failed step, and a failure branch takes over', async () => {
    const { handler, begun } = heldHandler();
    const { ring, statesOf } = await stageWith({ work: handler, clean: () => {} });
    const { id, steps } = await ring.flows.start({
      name: 'killed',
      steps: { a: { job: 'work' }, b: { job: 'clean', after: ['a'], when: 'failed' } },
    });
    await begun(steps.a!.runId!);
    await ring.runs.kill(steps.a!.runId!);
    expect((await ring.flows.wait(id)).state).toBe('failed');
    expect(await statesOf(id)).toEqual({ a: 'killed', b: 'succeeded' });
  });

  test('flows are listed newest first, by state and by name, page by page', async () => {
    const { ring, run } = await stageWith({ good: () => {}, bad: fail });
    const good = await run({ a: { job: 'good' } });
    const bad = await run({ a: { job: 'bad' } });
    const other = await ring.flows.start({ name: 'other', steps: { a: { job: 'good' } } });
    const last = await ring.flows.wait(other.id);
    expect((await ring.flows.list()).flows).toEqual([last, bad, good]);
    expect(await ring.flows.list({ state: 'failed' })).toEqual({ flows: [bad], cursor: null });
    expect((await ring.flows.list({ name: 'f', limit: 1 })).flows).toEqual([bad]);
    const { flows, cursor } = await ring.flows.list({ limit: 2 });
    expect(flows).toEqual([last, bad]);
    expect(await ring.flows.list({ limit: 2, cursor: cursor! })).toEqual({ flows: [good], cursor: null });
    expect(await ring.flows.get(good.id)).toEqual(good);
    expect(await ring.flows.get(12_345)).toBeNull();
    await expect(ring.flows.cancel(12_345)).rejects.toMatchObject({ code: 'unknown-flow' });
    await expect(ring.flows.wait(0)).rejects.toMatchObject({ code: 'unknown-flow' });
    await expect(ring.flows.list({ state: 'over' as never })).rejects.toMatchObject({ code: 'bad-option' });
  });

  test('a handler starts flows, and a flow that starts itself is refused at the tenth', async () => {
    const { ring, seen } = await stageWith({
      deeper: async ({ ring: { flows } }) => {
        const inner = await flows.start({ name: 'inner', steps: { again: { job: 'deeper' } } });
        return inner.id;
      },
    });
    await ring.jobs.trigger('deeper');
    const found = await eventually(async () => {
      const { flows } = await ring.flows.list();
      expect(flows.length).toBe(10);
      expect(flows.every(({ endedAt }) => endedAt !== null)).toBe(true);
      return flows;
    });
    expect(found.map(({ state }) => state)).toEqual(['failed', ...Array(9).fill('succeeded')]);
    const { message } = (await ring.runs.get(found[0]!.steps.again!.runId!))!;
    expect(message).toContain('10 deep');
    expect(seen.length).toBe(11);
  });
});
