import { expect, test } from 'vitest';
import type { RunContext } from '../../src/index.js';
import { silentLogger } from '../../src/model/logger.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage, remoteExecutor } from '../support/network-stage.js';
import { postJson } from '../support/raw-request.js';

onEveryDatabase(() => {
  test('a job runs on an executor behind HTTP as it does in process: context, message, log', async () => {
    const { ring, url, job, ended, registered } = await networkStage();
    const contexts: RunContext[] = [];
    const executor = await remoteExecutor({
      ring: url,
      handlers: {
        work: (context) => {
          contexts.push(context);
          context.log('first');
          context.log('second');
          return 'all done';
        },
      },
    });
    const [info] = await registered(1);
    expect(info).toMatchObject({ group: 'default', address: executor.address, kind: 'remote', breaker: 'closed' });
    const { id } = await job({ params: { list: [1, null, 'x'] } });
    const run = await ring.jobs.trigger(id, { scheduleTime: 1_700_000_000_000 });
    expect(await ended(run.id)).toMatchObject({
      state: 'succeeded',
      code: 200,
      message: 'all done',
      address: executor.address,
    });
    expect(contexts).toMatchObject([
      {
        jobId: id,
        runId: run.id,
        fireId: run.fireId,
        params: { list: [1, null, 'x'] },
        scheduleTime: 1_700_000_000_000,
        triggerType: 'manual',
        attempt: 1,
        shardIndex: 0,
        shardTotal: 1,
      },
    ]);
    expect(await ring.runs.log(run.id)).toEqual({ lines: ['first', 'second'], nextLine: 2, end: true });
    expect(await ring.runs.log(run.id, { fromLine: 1 })).toEqual({ lines: ['second'], nextLine: 2, end: true });
    expect(await ring.runs.log(run.id, { fromLine: 9 })).toEqual({ lines: [], nextLine: 9, end: true });
  });

  test('a schedule fires on an executor behind HTTP', async () => {
    const { ring, url, job, registered } = await networkStage();
    const times: (number | null)[] = [];
    await remoteExecutor({ ring: url, handlers: { work: ({ scheduleTime }) => void times.push(scheduleTime) } });
    await registered(1);
    await job({ schedule: { kind: 'cron', expression: '* * * * * ?' }, start: true });
    await eventually(() => expect(times.length).toBeGreaterThanOrEqual(3));
    const sorted = [...times].sort((a, b) => a! - b!);
    expect(sorted.every((time, index) => index === 0 || time! - sorted[index - 1]! === 1_000)).toBe(true);
    expect(ring.metrics().fired).toBeGreaterThanOrEqual(3);
  });

  test('a failure is retried on the network until it succeeds, and children follow', async () => {
    const { ring, url, job, allEnded, registered } = await networkStage();
    const attempts: number[] = [];
    const children: (number | null)[] = [];
    await remoteExecutor({
      ring: url,
      handlers: {
        work: ({ attempt }) => {
          attempts.push(attempt);
          if (attempt < 3) throw new Error('not yet');
        },
        child: ({ scheduleTime }) => void children.push(scheduleTime),
      },
    });
    await registered(1);
    const child = await job({ name: 'child', handler: 'child' });
    const parent = await job({ retries: 2, children: [child.id] });
    const run = await ring.jobs.trigger(parent.id, { scheduleTime: 5_000 });
    const runs = await allEnded(run.fireId, 3);
    expect(runs.map(({ state, attempt, triggerType }) => [state, attempt, triggerType])).toEqual([
      ['failed', 1, 'manual'],
      ['failed', 2, 'retry'],
      ['succeeded', 3, 'retry'],
    ]);
    expect(attempts).toEqual([1, 2, 3]);
    await eventually(() => expect(children).toEqual([5_000]));
  });

  test('a time limit aborts the handler on its machine and counts as 502', async () => {
    const { ring, url, job, ended, registered } = await networkStage();
    const { handler, begun } = heldHandler();
    await remoteExecutor({ ring: url, handlers: { work: handler } });
    await registered(1);
    const { id } = await job({ timeoutMs: 300 });
    const run = await ring.jobs.trigger(id);
    const context = await begun(run.id);
    expect(await ended(run.id)).toMatchObject({ state: 'failed', code: 502 });
    expect(context.signal.aborted).toBe(true);
  });

  test('a kill ends one run and not its neighbour, queued ones too', async () => {
    const { ring, url, job, ended, registered, accepted } = await networkStage();
    const { handler, begun, end } = heldHandler();
    await remoteExecutor({ ring: url, handlers: { work: handler } });
    await registered(1);
    const { id } = await job({ block: 'CONCURRENT', concurrency: 2 });
    const [first, second] = [await ring.jobs.trigger(id), await ring.jobs.trigger(id)];
    const context = await begun(first.id);
    await begun(second.id);
    const third = await ring.jobs.trigger(id);
    await accepted(third.id);
    await eventually(() => ring.runs.kill(third.id).then((isKilled) => expect(isKilled).toBe(true)));
    expect(await ring.runs.kill(first.id)).toBe(true);
    expect(await ended(first.id)).toMatchObject({ state: 'killed', code: 500 });
    expect(await ended(third.id)).toMatchObject({ state: 'killed', code: 500 });
    expect(context.signal.aborted).toBe(true);
    end(second.id, 'untouched');
    expect(await ended(second.id)).toMatchObject({ state: 'succeeded', message: 'untouched' });
  });

  test('COVER kills the old run, DISCARD skips the new one, SERIAL keeps the order', async () => {
    const { ring, url, job, ended, registered, accepted } = await networkStage();
    const { handler, begun, end, contexts } = heldHandler();
    await remoteExecutor({ ring: url, handlers: { work: handler } });
    await registered(1);
    const cover = await job({ block: 'COVER' });
    const old = await ring.jobs.trigger(cover.id);
    await begun(old.id);
    const young = await ring.jobs.trigger(cover.id);
    expect(await ended(old.id)).toMatchObject({ state: 'killed', code: 500, message: `Covered by run ${young.id}` });
    await begun(young.id);
    end(young.id);
    expect(await ended(young.id)).toMatchObject({ state: 'succeeded' });

    const discard = await job({ block: 'DISCARD' });
    const kept = await ring.jobs.trigger(discard.id);
    await begun(kept.id);
    expect(await ended((await ring.jobs.trigger(discard.id)).id)).toMatchObject({
      state: 'skipped',
      code: 500,
      message: expect.stringMatching(/Discarded/),
    });
    end(kept.id);
    await ended(kept.id);

    const serial = await job({ block: 'SERIAL' });
    const runs = [await ring.jobs.trigger(serial.id)];
    await begun(runs[0]!.id);
    for (let more = 0; more < 3; more++) {
      const run = await ring.jobs.trigger(serial.id);
      runs.push(run);
      await accepted(run.id);
    }
    for (const run of runs) {
      await begun(run.id);
      end(run.id);
      await ended(run.id);
    }
    expect(contexts.filter(({ jobId }) => jobId === serial.id).map(({ runId }) => runId)).toEqual(
      runs.map(({ id }) => id),
    );
  });

  test('the registry takes no more than maxExecutors, beats and farewells aside', async () => {
    const { url, ring } = await networkStage({ http: { port: 0, maxExecutors: 20 } });
    const register = async (number: number) =>
      (
        await postJson(url, '/api/registry', {
          registryGroup: 'EXECUTOR',
          registryKey: 'flood',
          registryValue: `http://10.0.0.1:${number}`,
        })
      ).body.code;
    const codes = await Promise.all(Array.from({ length: 200 }, (_, index) => register(index + 1)));
    expect(codes.filter((code) => code === 200)).toHaveLength(20);
    const executors = await ring.executors.list();
    expect(executors).toHaveLength(20);
    expect(await register(Number(new URL(executors[0]!.address).port))).toBe(200);
  });

  test('everything works with a token, another header and payloads in `data`', async () => {
    const options = { accessToken: 'secret', tokenHeader: 'ORTH-ACCESS-TOKEN', payloadField: 'data' } as const;
    const { ring, url, job, ended, registered } = await networkStage({ http: { port: 0, ...options } });
    await remoteExecutor({ ring: url, ...options, handlers: { work: ({ log }) => log('line') } });
    await registered(1);
    const { id } = await job({});
    const run = await ring.jobs.trigger(id);
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded' });
    expect((await ring.runs.log(run.id)).lines).toEqual(['line']);
    const problems: object[] = [];
    const log = { ...silentLogger, warn: (facts: object) => void problems.push(facts) };
    await remoteExecutor({ ring: url, ...options, accessToken: 'wrong', group: 'strangers', handlers: {}, log });
    await eventually(() => expect(problems).toMatchObject([{ problem: expect.stringMatching(/token/) }]));
    expect(await ring.executors.list('strangers')).toEqual([]);
  });
});
