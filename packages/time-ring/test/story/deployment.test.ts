import { deferred } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { expect, onTestFinished, test } from 'vitest';
import {
  createExecutor,
  type Handler,
  RetryLater,
  type Run,
  sqlJobStore,
  startTimeRing,
  Unrecoverable,
} from '../../src/index.js';
import { newRun } from '../../src/testing/conformance-stage.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage, remoteExecutor, verbs } from '../support/network-stage.js';
import { clock } from '../support/node-process.js';
import { unrulyExecutor } from '../support/unruly-executor.js';

/** A further node on the test's database. */
async function node(nodeId: string, handlers: Record<string, Handler> | null = null, queueLimit = 1_000) {
  const ring = await startTimeRing({ ...networkPlace(), nodeId });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  if (handlers !== null) await createExecutor({ ring, handlers, queueLimit });
  return { ring, ...verbs(ring) };
}

const soon = { kind: 'fixed', delayMs: 100 } as const;

onEveryDatabase(() => {
  test('point 6: what a node without executors is asked for is done by the executors of another', async () => {
    const done: number[] = [];
    const web = await node('web');
    const worker = await node('worker', { work: ({ runId }) => void done.push(runId) });
    const { id } = await web.job();
    const runs = await Promise.all(Array.from({ length: 10 }, () => web.ring.jobs.trigger(id)));
    for (const run of runs) {
      expect(await web.ended(run.id)).toMatchObject({ state: 'succeeded', attempt: 1, address: expect.any(String) });
    }
    expect(done.sort((a, b) => a - b)).toEqual(runs.map((run) => run.id).sort((a, b) => a - b));
    const seen = { kind: 'local', nodeId: 'worker', handlers: ['work'] };
    expect(await web.ring.executors.list()).toMatchObject([seen]);
    expect(await worker.ring.executors.list()).toMatchObject([seen]);
  });

  test('a run that a node is given while it leaves is done by another', async () => {
    const leaving = await node('leaving', { work: () => 'by the one that leaves' });
    const stays = await node('stays', { work: () => 'by the one that stays' });
    const { id } = await stays.job();
    await using database = await openDatabase(networkPlace().database);
    const store = await sqlJobStore(database);
    const { owner } = (await store.nodes()).find(({ nodeId }) => nodeId === 'leaving')!;
    const pinned = deferred<void>();
    const go = deferred<void>();
    const giving = store.transaction(async (trx) => {
      expect(await trx.pinNodes([owner])).toEqual(new Set([owner]));
      pinned.resolve();
      await go.promise;
      return trx.insertRuns([newRun({ jobId: id, owner })]);
    });
    await pinned.promise;
    const stopping = leaving.ring.stop({ deadlineMs: 0 });
    // It comes as far as it can: where it looks before it holds its row, the look is over by then.
    await Promise.race([stopping, clock.sleepFor(300)]);
    go.resolve();
    const [runId] = await giving;
    await stopping;
    expect(await stays.ended(runId!)).toMatchObject({ state: 'succeeded', message: 'by the one that stays' });
  });

  test('point 7: during a rolling deploy a handler that only the new node has is done there', async () => {
    const old = await node('old', { before: () => 'old' });
    await node('new', { before: () => 'new', after: () => 'new' });
    const { id } = await old.job({ handler: 'after' });
    const run = await old.ring.jobs.trigger(id);
    expect(await old.ended(run.id)).toMatchObject({ state: 'succeeded', message: 'new', attempt: 1 });
  });

  test('point 7: a handler that a program adds to its executor while it runs is announced to the ring', async () => {
    const handlers: Record<string, Handler> = { before: () => 'before' };
    const old = await node('old');
    await node('changing', handlers);
    const { id } = await old.job({ handler: 'after' });
    const run = await old.ring.jobs.trigger(id);
    await old.waiting(run.id, 'handler');
    handlers.after = () => 'after';
    expect(await old.ended(run.id)).toMatchObject({ state: 'succeeded', message: 'after', attempt: 1 });
  });

  test('point 8: a run waits for an executor, then for its handler, and goes to the first that has it', async () => {
    const web = await node('web');
    const heard: [number, string][] = [];
    web.ring.events.on('run-waiting', ({ run, reason }) => void heard.push([run.id, reason]));
    const { id } = await web.job();
    const run = await web.ring.jobs.trigger(id);
    expect(await web.waiting(run.id, 'executor')).toMatchObject({ attempt: 1, code: null });
    await eventually(() => expect(web.ring.health().waiting).toMatchObject({ executor: 1, handler: 0 }));
    await createExecutor({ ring: web.ring, address: 'without', handlers: { other: () => {} } });
    await web.waiting(run.id, 'handler');
    await node('worker', { work: () => 'at last' });
    expect(await web.ended(run.id)).toMatchObject({ state: 'succeeded', message: 'at last', attempt: 1 });
    expect((await web.ring.runs.get(run.id))?.waitingFor).toBeNull();
    expect(heard.filter(([runId, reason]) => runId === run.id && reason === 'executor')).toHaveLength(1);
    expect(heard.filter(([runId, reason]) => runId === run.id && reason === 'handler').length).toBeLessThanOrEqual(1);
  });

  test('point 8: a run that waits when its job is removed fails at once, and says so', async () => {
    const web = await node('web');
    const { id } = await web.job({ waitMs: null });
    const run = await web.ring.jobs.trigger(id);
    await web.waiting(run.id, 'executor');
    await web.ring.jobs.remove(id);
    expect(await web.ended(run.id)).toMatchObject({ state: 'failed', code: 500, message: 'The job is gone' });
  });

  test('point 8: a run fails when its wait is over, counted from when it was due, whichever node was there', async () => {
    const first = await node('first');
    const { id } = await first.job({ waitMs: 1_500, executorGroup: 'nobody' });
    const run = await first.ring.jobs.trigger(id);
    await first.waiting(run.id, 'executor');
    await first.ring.stop({ deadlineMs: 0 });
    const second = await node('second');
    const over = await second.ended(run.id);
    const message = 'No executor of the group "nobody" has taken it within 1.5 s';
    expect(over).toMatchObject({ state: 'failed', code: 500, message, attempt: 1, waitingFor: null });
  });

  test('point 9: more runs than an executor may queue wait for a slot, and all are done in their order', async () => {
    const order: number[] = [];
    const { handler, begun, end } = heldHandler();
    const stage = await node(
      'one',
      { work: ({ runId }) => void order.push(runId), first: handler },
      // One at a time with two behind it: forty are far more.
      2,
    );
    const { id } = await stage.job();
    const gate = await stage.job({ handler: 'first', block: 'SERIAL' });
    const held = await stage.ring.jobs.trigger(gate.id);
    await begun(held.id);
    const runs: Run[] = [];
    for (let more = 0; more < 40; more++) runs.push(await stage.ring.jobs.trigger(id));
    end(held.id);
    for (const run of runs) expect(await stage.ended(run.id)).toMatchObject({ state: 'succeeded', attempt: 1 });
    expect(order).toEqual(runs.map((run) => run.id));
  });

  test('point 10: while the breaker of the only executor is open runs wait, and its registration lets them go', async () => {
    const stage = await networkStage({ http: { port: 0, breaker: { failures: 1, openMs: 600_000 } } });
    const executor = await unrulyExecutor(stage.url, { '/run': (_body, response) => response.destroy() });
    const { id } = await stage.job({ retries: 0 });
    expect(await stage.ended((await stage.ring.jobs.trigger(id)).id)).toMatchObject({ state: 'failed' });
    const run = await stage.ring.jobs.trigger(id);
    expect(await stage.waiting(run.id, 'breaker')).toMatchObject({ attempt: 1 });
    await executor.close();
    await remoteExecutor({ ring: stage.url, handlers: { work: () => 'reached' } });
    expect(await stage.ended(run.id)).toMatchObject({ state: 'succeeded', message: 'reached', attempt: 1 });
  });

  test('point 11: a restarted executor keeps the runs that it says it has', async () => {
    const stage = await networkStage();
    const { handler, begun, end } = heldHandler();
    const { group, address } = await remoteExecutor({ ring: stage.url, handlers: { work: handler } });
    await stage.registered(1);
    const { id } = await stage.job({ timeoutMs: 600_000 });
    const run = await stage.ring.jobs.trigger(id);
    await begun(run.id);
    await stage.accepted(run.id);
    await stage.ring.executors.register({ group, address, instanceId: 'another life' });
    await eventually(async () => expect((await stage.ring.executors.list())[0]!.handlers).toBeNull());
    expect((await stage.ring.runs.get(run.id))?.state).toBe('running');
    end(run.id, 'still here');
    expect(await stage.ended(run.id)).toMatchObject({ state: 'succeeded', message: 'still here', attempt: 1 });
  });

  test('point 11: an executor that comes back under its address as another instance has lost its runs, which are retried', async () => {
    const stage = await networkStage();
    const first = await unrulyExecutor(stage.url, {});
    await stage.ring.executors.register({ group: 'default', address: first.url, instanceId: 'its first life' });
    const { id } = await stage.job({ retries: 1, retry: soon });
    const run = await stage.ring.jobs.trigger(id);
    await stage.accepted(run.id);
    await first.close();
    const port = Number(new URL(first.url).port);
    await remoteExecutor({ ring: stage.url, port, address: first.url, handlers: { work: () => 'its second life' } });
    const [lost, retried] = await stage.allEnded(run.fireId, 2);
    expect(lost).toMatchObject({ state: 'failed', code: 500, message: expect.stringMatching(/restarted/) });
    expect(retried).toMatchObject({ state: 'succeeded', attempt: 2, message: 'its second life' });
  });

  test('point 11: of an executor of others that could not be called, runs it does not know fail after the grace', async () => {
    const http = { port: 0, resultGraceMs: 1_000, breaker: { failures: 1, openMs: 600_000 } };
    const stage = await networkStage({ http });
    let isDown = false;
    const executor = await unrulyExecutor(stage.url, {
      '/run': (_body, response) => (isDown ? response.destroy() : response.end('{"code":200}')),
    });
    const { id } = await stage.job({ retries: 0 });
    const run = await stage.ring.jobs.trigger(id);
    await stage.accepted(run.id);
    isDown = true;
    await stage.ended((await stage.ring.jobs.trigger(id)).id);
    await executor.register();
    expect(await stage.ended(run.id)).toMatchObject({ state: 'failed' });
  });

  test('point 12: a stop hands unfinished runs back, and another node does them as the same attempt', async () => {
    const signals: AbortSignal[] = [];
    const leaving = await node('leaving', {
      work: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    });
    const { id } = await leaving.job({ retries: 0 });
    const run = await leaving.ring.jobs.trigger(id);
    await eventually(() => expect(signals).toHaveLength(1));
    const staying = await node('staying');
    await leaving.ring.stop({ deadlineMs: 50 });
    expect(signals[0]!.aborted).toBe(true);
    expect(await staying.ring.runs.get(run.id)).toMatchObject({ state: 'pending', attempt: 1 });
    await createExecutor({ ring: staying.ring, handlers: { work: () => 'finished here' } });
    expect(await staying.ended(run.id)).toMatchObject({ state: 'succeeded', attempt: 1, message: 'finished here' });
    expect((await staying.ring.runs.list({ fireId: run.fireId })).runs).toHaveLength(1);
  });

  test('point 12: abandon: fail keeps the old way', async () => {
    const leaving = await node('leaving', { work: () => new Promise(() => {}) });
    const { id } = await leaving.job({ retries: 0 });
    const run = await leaving.ring.jobs.trigger(id);
    await eventually(async () => expect((await leaving.ring.runs.get(run.id))?.state).toBe('running'));
    const staying = await node('staying');
    await leaving.ring.stop({ deadlineMs: 0, abandon: 'fail' });
    expect(await staying.ended(run.id)).toMatchObject({ state: 'failed', code: 500, message: 'The ring was stopped' });
  });

  test('point 15: a retry is due after its delay and is done by whichever node can', async () => {
    let attempts = 0;
    const first = await node('first', {
      work: () => {
        attempts += 1;
        throw new Error('not yet');
      },
    });
    const { id } = await first.job({ retries: 1, retry: { kind: 'fixed', delayMs: 3_000 } });
    const run = await first.ring.jobs.trigger(id);
    const failed = await first.ended(run.id);
    const [retry] = (await first.ring.runs.list({ fireId: run.fireId })).runs;
    expect(retry).toMatchObject({ state: 'pending', triggerType: 'retry', attempt: 2, dueAt: failed.endedAt! + 3_000 });
    await first.ring.stop({ deadlineMs: 0 });
    const second = await node('second', { work: () => 'mended' });
    const done = await second.ended(retry!.id);
    expect(done).toMatchObject({ state: 'succeeded', message: 'mended', attempt: 2 });
    expect(done.startedAt!).toBeGreaterThanOrEqual(done.dueAt!);
    expect(attempts).toBe(1);
  });

  test.each(['local', 'remote'] as const)(
    'point 15: RetryLater costs no attempt as often as there are retries, Unrecoverable ends them (%s)',
    async (place) => {
      const stage = await networkStage();
      const attempts: number[] = [];
      const handlers: Record<string, Handler> = {
        later: ({ attempt }) => {
          attempts.push(attempt);
          throw new RetryLater(10, 'the door is locked');
        },
        never: () => {
          throw new Unrecoverable('there is no such door');
        },
      };
      if (place === 'remote') await remoteExecutor({ ring: stage.url, handlers });
      else await createExecutor({ ring: stage.ring, handlers });
      await stage.registered(1);
      const later = await stage.job({ handler: 'later', retries: 1, retry: soon });
      const run = await stage.ring.jobs.trigger(later.id);
      const ended = await stage.allEnded(run.fireId, 2);
      expect(ended).toMatchObject([
        { id: run.id, state: 'failed', attempt: 1, message: 'the door is locked' },
        { state: 'failed', attempt: 2, message: 'the door is locked' },
      ]);
      expect(attempts).toEqual([1, 1, 2, 2]);
      const never = await stage.job({ handler: 'never', retries: 5, retry: soon });
      const lost = await stage.ring.jobs.trigger(never.id);
      expect(await stage.ended(lost.id)).toMatchObject({ state: 'failed', message: 'there is no such door' });
      expect((await stage.ring.runs.list({ fireId: lost.fireId })).runs).toHaveLength(1);
    },
  );
});
