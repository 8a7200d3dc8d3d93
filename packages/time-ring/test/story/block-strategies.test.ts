import { describe, expect, test } from 'vitest';
import { createRingStage, held, states } from '../support/ring-stage.js';

describe('block strategies on a busy executor', () => {
  test('SERIAL queues behind the present run, first come first served', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    const { id } = await stage.job({ block: 'SERIAL' });
    for (let i = 0; i < 3; i++) await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['running', 'queued', 'queued']);
    runs[0]!.go.resolve(undefined);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['succeeded', 'running', 'queued']);
    runs[1]!.go.resolve(undefined);
    await stage.clock.settle();
    runs[2]!.go.resolve(undefined);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(runs.map(({ runId }) => runId)).toEqual([1, 2, 3]);
  });

  test('a full executor pushes back: the rest waits for a slot, and goes in its order', async () => {
    await using stage = await createRingStage();
    const { createExecutor } = await import('../../src/index.js');
    const { handler, runs } = held();
    await createExecutor({ ring: stage.ring, handlers: { work: handler }, queueLimit: 1 });
    const { id } = await stage.job({});
    for (let i = 0; i < 4; i++) await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['running', 'queued', 'pending', 'pending']);
    expect((await stage.runs()).map(({ waitingFor }) => waitingFor)).toEqual([null, null, 'slot', 'slot']);
    for (let i = 0; i < 4; i++) {
      runs[i]!.go.resolve(undefined);
      await stage.clock.settle();
    }
    expect(await states(stage)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    expect(runs.map(({ runId }) => runId)).toEqual([1, 2, 3, 4]);
  });

  test('DISCARD skips the new run, which is no failure and is not retried', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    const { id } = await stage.job({ block: 'DISCARD', retries: 1 });
    await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    expect((await stage.runs()).map(({ state, triggerType, code }) => [state, triggerType, code])).toEqual([
      ['running', 'manual', null],
      ['skipped', 'manual', 500],
    ]);
    expect((await stage.runs())[1]!.message).toMatch(/^Discarded/);
    expect(stage.ring.metrics()).toMatchObject({ failed: 0, retried: 0 });
    expect(runs).toHaveLength(1);
  });

  test('COVER kills the old run and starts the new one', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    const { id } = await stage.job({ block: 'COVER', retries: 3 });
    await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    expect((await stage.runs()).map(({ state, code }) => [state, code])).toEqual([
      ['killed', 500],
      ['running', null],
    ]);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  test('CONCURRENT runs up to its concurrency and queues the rest', async () => {
    await using stage = await createRingStage();
    const { handler, runs } = held();
    await stage.executor({ work: handler });
    const { id } = await stage.job({ block: 'CONCURRENT', concurrency: 2 });
    for (let i = 0; i < 3; i++) await stage.ring.jobs.trigger(id);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['running', 'running', 'queued']);
    runs[1]!.go.resolve(undefined);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['running', 'succeeded', 'running']);
  });

  test('runs of different jobs do not block each other', async () => {
    await using stage = await createRingStage();
    const { handler } = held();
    await stage.executor({ work: handler });
    for (let i = 0; i < 3; i++) await stage.ring.jobs.trigger((await stage.job({ block: 'DISCARD' })).id);
    await stage.clock.settle();
    expect(await states(stage)).toEqual(['running', 'running', 'running']);
  });
});
