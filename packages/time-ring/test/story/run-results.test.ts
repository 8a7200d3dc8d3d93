import { expect, test } from 'vitest';
import { createExecutor, type Handler, Unrecoverable } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage, remoteExecutor, standingStage } from '../support/network-stage.js';
import { createRingStage, START } from '../support/ring-stage.js';

const boom: Handler = () => {
  throw new TypeError('boom');
};

onEveryDatabase(() => {
  test('a run keeps what its handler returned, or what it threw', async () => {
    const stage = await standingStage();
    const { ring } = stage;
    const handlers: Record<string, Handler> = {
      data: () => ({ a: [1, 'ä\u0000', null] }),
      text: () => 'done',
      nothing: () => undefined,
      boom,
      large: () => 'x'.repeat(65_535),
      circular: () => {
        const value: Record<string, unknown> = {};
        value.self = value;
        return value;
      },
    };
    await createExecutor({ ring, handlers });
    const over = async (handler: string) => {
      const { id } = await stage.job({ handler, retries: 3 });
      const run = await ring.jobs.trigger(id);
      return stage.ended(run.id);
    };
    expect(await over('data')).toMatchObject({ result: { a: [1, 'ä\u0000', null] }, message: null, error: null });
    expect(await over('text')).toMatchObject({ result: 'done', message: 'done' });
    expect(await over('nothing')).toMatchObject({ result: null, message: null, state: 'succeeded' });
    const failed = await over('boom');
    expect(failed).toMatchObject({ result: null, error: { name: 'TypeError', message: 'boom' }, isLastAttempt: false });
    expect(failed.error!.stack).toContain('TypeError: boom\n    at ');
    for (const handler of ['large', 'circular']) {
      const run = await over(handler);
      expect(run).toMatchObject({ state: 'failed', code: 500, result: null });
      expect(run.message).toMatch(handler === 'large' ? /result.*65536/ : /result/);
      expect((await ring.runs.list({ fireId: run.id })).runs).toHaveLength(1);
    }
  });

  test('progress is written at once, then at most once a second, and the last one with the end', async () => {
    const stage = await standingStage();
    const held = heldHandler();
    await createExecutor({ ring: stage.ring, handlers: { work: held.handler } });
    const { id } = await stage.job();
    const run = await stage.ring.jobs.trigger(id);
    const { progress } = await held.begun(run.id);
    const stored = async () => (await stage.ring.runs.get(run.id))!.progress;
    progress(0.1, 'begun');
    await eventually(async () => expect(await stored()).toEqual({ fraction: 0.1, note: 'begun' }));
    progress(0.2);
    progress(0.3);
    expect(await stored()).toEqual({ fraction: 0.1, note: 'begun' });
    await stage.advance(1_000);
    await eventually(async () => expect(await stored()).toEqual({ fraction: 0.3, note: '' }));
    for (const fraction of [-0.1, 1.1, Number.NaN, '1']) expect(() => progress(fraction as number)).toThrow('fraction');
    progress(null, 'at the end');
    held.end(run.id);
    expect((await stage.ended(run.id)).progress).toEqual({ fraction: null, note: 'at the end' });
  });

  test('wait gives the last attempt when it is over, on whatever node', async () => {
    const stage = await networkStage();
    const other = await networkStage();
    let fails = 1;
    await createExecutor({ ring: stage.ring, handlers: { work: () => (fails-- > 0 ? boom({} as never) : 'fine') } });
    const { id } = await stage.job({ retries: 1, retry: { kind: 'fixed', delayMs: 0 } });
    const run = await other.ring.jobs.trigger(id);
    const last = await other.ring.runs.wait(run.id);
    expect(last).toMatchObject({ fireId: run.id, attempt: 2, state: 'succeeded', result: 'fine', isLastAttempt: true });
    expect(await stage.ring.runs.wait(last.id)).toEqual(last);
    const never = await stage.ring.jobs.trigger(id, { delayMs: 1e9 });
    await expect(stage.ring.runs.wait(never.id, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'wait-timeout' });
    await expect(stage.ring.runs.wait(99_999)).rejects.toMatchObject({ code: 'unknown-run' });
  });

  test('a run that failed for good is retried when a user asks, once', async () => {
    const stage = await networkStage();
    const { ring } = stage;
    let fails = true;
    const work: Handler = ({ isLastAttempt }) => {
      if (fails) throw new Unrecoverable(`last: ${isLastAttempt}`);
    };
    await createExecutor({ ring, handlers: { work } });
    const { id } = await stage.job();
    const options = { params: { a: 1 }, labels: { team: 'x' }, uniqueKey: 'k', scheduleTime: START };
    const run = await ring.jobs.trigger(id, options);
    const failed = await stage.ended(run.id);
    expect(failed.message).toBe('last: true');
    fails = false;
    const retry = await ring.runs.retry(run.id);
    expect(retry).toMatchObject({ fireId: run.id, attempt: 2, triggerType: 'retry', dueAt: null, isLastAttempt: true });
    expect(retry).toMatchObject(options);
    const again = await stage.ended(retry.id);
    for (const over of [run.id, again.id]) {
      await expect(ring.runs.retry(over)).rejects.toMatchObject({ code: 'not-retryable' });
    }
    await expect(ring.runs.retry(99_999)).rejects.toMatchObject({ code: 'unknown-run' });
    expect((await ring.jobs.trigger(id, { uniqueKey: 'k' })).deduplicated).toBe(false);
  });

  test('retryMany retries those of a filter that can be', async () => {
    const stage = await networkStage();
    const { ring } = stage;
    let fails = true;
    await createExecutor({ ring, handlers: { work: () => (fails ? boom({} as never) : null) } });
    const { id } = await stage.job();
    const runs = await ring.jobs.triggerMany(id, [{ labels: { a: '1' } }, { labels: { a: '1' } }, {}]);
    for (const run of runs) await stage.ended(run.id);
    fails = false;
    expect(await ring.runs.retryMany({ labels: { a: '1' }, dead: true })).toBe(2);
    expect(await ring.runs.retryMany({ labels: { a: '1' } })).toBe(0);
    expect(await ring.runs.retryMany({ jobId: id, limit: 1 })).toBe(1);
    await eventually(async () => expect((await ring.runs.list({ state: 'succeeded' })).runs).toHaveLength(3));
    expect((await ring.runs.list({ dead: true })).runs).toEqual([]);
  });

  test('cancel ends a delayed run before it starts and a running one at once', async () => {
    const stage = await standingStage();
    const { ring } = stage;
    const held = heldHandler();
    await createExecutor({ ring, handlers: { work: held.handler } });
    const { id } = await stage.job({ block: 'CONCURRENT', concurrency: 5 });
    const soon = await ring.jobs.trigger(id, { delayMs: 2_000, uniqueKey: 'a' });
    const far = await ring.jobs.trigger(id, { delayMs: 60_000 });
    const running = await ring.jobs.trigger(id);
    const { signal } = await held.begun(running.id);
    for (const run of [soon, far, running]) {
      expect(await ring.runs.cancel(run.id)).toBe(true);
      expect((await ring.runs.get(run.id))!.state).toBe('killed');
      expect(await ring.runs.cancel(run.id)).toBe(false);
    }
    expect(signal.aborted).toBe(true);
    await stage.advance(3_000);
    expect(held.contexts).toHaveLength(1);
    expect((await ring.jobs.trigger(id, { uniqueKey: 'a' })).deduplicated).toBe(false);
    await expect(ring.runs.cancel(99_999)).rejects.toMatchObject({ code: 'unknown-run' });
  });

  test('a handler asks for more work, and knows its job; also on a remote executor', async () => {
    const stage = await networkStage();
    const { ring } = stage;
    const jobs: unknown[] = [];
    const follow: Handler = async ({ ring: client, job, params, progress }) => {
      jobs.push(job);
      progress(0.5, 'half');
      const [first] = await client.jobs.triggerMany(params as number, [
        { params: 'a', uniqueKey: 'k' },
        { uniqueKey: 'k' },
      ]);
      return { first: first!.id, second: (await client.jobs.trigger(params as number, { delayMs: 1e6 })).id };
    };
    await createExecutor({ ring, handlers: { here: follow, work: () => {} } });
    await remoteExecutor({ ring: stage.url, handlers: { there: follow } });
    await stage.registered(2);
    const target = await stage.job();
    for (const handler of ['here', 'there']) {
      const { id } = await stage.job({ name: `Job ${handler}`, key: handler, handler });
      const { result, progress, state, message } = await ring.runs.wait(
        (await ring.jobs.trigger(id, { params: target.id })).id,
      );
      expect([state, message]).toEqual(['succeeded', null]);
      expect(jobs.at(-1)).toEqual({ id, key: handler, name: `Job ${handler}` });
      expect(progress).toEqual({ fraction: 0.5, note: 'half' });
      const { first, second } = result as { first: number; second: number };
      expect((await ring.runs.wait(first)).params).toBe('a');
      expect((await ring.runs.get(second))!.state).toBe('pending');
    }
  });
}, ['lock-row']);

test('lists have params and results only when they are asked for', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: ({ params }) => params });
  const { id } = await stage.job({ params: { a: 1 } });
  await stage.ring.jobs.trigger(id);
  await stage.clock.settle();
  const [bare] = (await stage.ring.runs.list()).runs;
  expect([bare!.params, bare!.result]).toEqual([undefined, undefined]);
  const [whole] = (await stage.ring.runs.list({ include: ['params', 'result'], order: 'oldest' })).runs;
  expect([whole!.params, whole!.result]).toEqual([{ a: 1 }, { a: 1 }]);
  for (const filter of [
    { order: 'upwards' },
    { include: ['all'] },
    { labels: { a: 1 } },
    { dead: 'yes' },
    { text: 1 },
  ]) {
    await expect(stage.ring.runs.list(filter as never)).rejects.toMatchObject({ code: 'bad-option' });
  }
});

test('the stack of an error is cut at 8 KiB', async () => {
  await using stage = await createRingStage();
  await stage.executor({
    work() {
      const error = new Error('long');
      error.stack = 'ä'.repeat(10_000);
      throw error;
    },
  });
  const run = await stage.ring.jobs.trigger((await stage.job({})).id);
  await stage.clock.settle();
  expect((await stage.ring.runs.get(run.id))!.error!.stack).toBe('ä'.repeat(4_096));
});
