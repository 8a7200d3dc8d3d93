import { expect, test } from 'vitest';
import { createExecutor } from '../../src/index.js';
import { silentLogger } from '../../src/model/logger.js';
import { reply } from '../support/loopback-server.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage, remoteExecutor, standingStage } from '../support/network-stage.js';
import { postJson } from '../support/raw-request.js';
import { deferred } from '../support/ring-stage.js';
import { unrulyExecutor } from '../support/unruly-executor.js';

onEveryDatabase(() => {
  test.each([
    {
      story: 'garbage',
      answer: (response: import('node:http').ServerResponse) => response.end('<html>'),
      says: /no JSON/,
    },
    { story: 'nothing', answer: (response: import('node:http').ServerResponse) => response.end(), says: /empty/ },
    {
      story: 'an error of HTTP',
      answer: (response: import('node:http').ServerResponse) => reply(response, { code: 200 }, 502),
      says: /HTTP 502/,
    },
    {
      story: 'a no',
      answer: (response: import('node:http').ServerResponse) => reply(response, { code: 500, msg: 'no room' }),
      says: /no room/,
    },
    { story: 'a reset', answer: (response: import('node:http').ServerResponse) => response.destroy(), says: /reset/ },
  ])(
    'an executor that answers a run with $story fails it with 500, and the retry goes elsewhere',
    async ({ answer, says }) => {
      const { ring, url, job, allEnded, advance } = await standingStage();
      await unrulyExecutor(url, { '/run': (_body, response) => answer(response) }, 'group');
      const good = await unrulyExecutor(url, {}, 'group');
      const { id } = await job({ executorGroup: 'group', retries: 1, route: 'ROUND' });
      for (let time = 0; time < 2; time++) {
        const run = await ring.jobs.trigger(id);
        await eventually(async () => {
          // The retry is due a second later.
          await advance(1_000);
          for (const { logId } of good.runs()) await good.callback(logId);
          const { runs } = await ring.runs.list({ fireId: run.fireId });
          expect(runs.some(({ state }) => state === 'succeeded')).toBe(true);
        });
        const { runs } = await ring.runs.list({ fireId: run.fireId });
        const failed = runs.filter(({ state }) => state === 'failed');
        expect(failed.length).toBe(runs.length - 1);
        for (const one of failed) expect(one).toMatchObject({ code: 500, message: expect.stringMatching(says) });
        await allEnded(run.fireId, runs.length);
      }
    },
  );

  test('an executor that hangs costs its time limit; a result that comes later for the failed run is refused', async () => {
    const { ring, url, job, ended, advance, heard } = await standingStage();
    const executor = await unrulyExecutor(url, { '/run': () => {} });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await eventually(() => expect(executor.runs()).toHaveLength(1));
    await advance(3_000);
    expect(await ended(run.id)).toMatchObject({
      state: 'failed',
      code: 500,
      message: expect.stringMatching(/no answer within 3000 ms/),
    });
    expect((await executor.callback(run.id)).body.code).toBe(200);
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'failed' });
    expect(heard.filter(({ name }) => name === 'result-refused')).toMatchObject([
      { event: { runId: run.id, reason: 'already-over' } },
    ]);
  });

  test('a result that comes before the answer to its run counts', async () => {
    const { ring, url, job, ended } = await standingStage();
    await unrulyExecutor(url, {
      '/run': async ({ logId }, response) => {
        await postJson(url, '/api/callback', [{ logId, logDateTim: 0, handleCode: 200, handleMsg: 'early' }]);
        reply(response, { code: 200 });
      },
    });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', message: 'early' });
  });

  test('of two results for one run the first counts, and the second is told as refused', async () => {
    const { ring, url, job, ended, heard, accepted } = await standingStage();
    const executor = await unrulyExecutor(url, {});
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await executor.callback(run.id, 500, 'first');
    await executor.callback(run.id, 200, 'second');
    expect(await ended(run.id)).toMatchObject({ state: 'failed', code: 500, message: 'first' });
    expect(heard.filter(({ name }) => name === 'result-refused')).toHaveLength(1);
    expect(heard.filter(({ name }) => name === 'run-succeeded' || name === 'run-failed')).toHaveLength(1);
  });

  test('codes of others are kept, long messages cut, unknown runs ignored', async () => {
    const { ring, url, job, accepted } = await standingStage();
    const executor = await unrulyExecutor(url, {});
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    expect((await executor.callback(987_654, 200)).body).toEqual({ code: 200, msg: null });
    await executor.callback(run.id, 404, 'm'.repeat(20_000));
    const ended = await ring.runs.get(run.id);
    expect(ended).toMatchObject({ state: 'failed', code: 404 });
    expect(ended!.message).toHaveLength(15_000);
  });

  test('a run whose result never comes is failed with 502 at its time limit and the grace', async () => {
    const { ring, url, job, accepted, advance } = await standingStage({ resultGraceMs: 5_000 });
    await unrulyExecutor(url, {});
    const { id } = await job({ timeoutMs: 2_000 });
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await advance(6_000);
    expect((await ring.runs.get(run.id))?.state).toBe('running');
    await advance(3_000);
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'failed', code: 502 });
  });

  test('an executor that is not heard of for 90 s is lost: its runs fail with 500 and are retried elsewhere', async () => {
    const { ring, url, job, accepted, advance, heard, allEnded } = await standingStage();
    const mute = await unrulyExecutor(url, {});
    const { id } = await job({ retries: 1, retry: { kind: 'fixed', delayMs: 1_000 } });
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await mute.close();
    await advance(60_000);
    const other = await unrulyExecutor(url, {});
    await advance(29_000);
    expect((await ring.runs.get(run.id))?.state).toBe('running');
    await advance(5_000);
    await eventually(() => expect(other.runs()).toHaveLength(1));
    await other.callback(other.runs()[0]!.logId);
    expect(await allEnded(run.fireId, 2)).toMatchObject([
      { state: 'failed', code: 500, address: mute.url },
      { state: 'succeeded', triggerType: 'retry', address: other.url },
    ]);
    expect(heard.filter(({ name }) => name === 'executor-lost')).toMatchObject([{ event: { address: mute.url } }]);
    expect((await ring.executors.list()).map(({ address }) => address)).toEqual([other.url]);
  });

  test('an executor that leaves is only taken out of routing: what it has accepted goes on, and its result counts', async () => {
    const { ring, url, job, accepted, advance, waiting } = await standingStage();
    const executor = await unrulyExecutor(url, {});
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await executor.leave();
    await advance(120_000);
    expect((await ring.runs.get(run.id))?.state).toBe('running');
    await waiting((await ring.jobs.trigger(id)).id, 'executor');
    await executor.callback(run.id, 200, 'late but true');
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'succeeded', message: 'late but true' });
  });

  test('a dead executor is passed over by FAILOVER and costs no connection while its breaker is open', async () => {
    const { ring, url, job, advance } = await standingStage({ breaker: { failures: 3, openMs: 10_000 } });
    const reset = (_body: unknown, response: import('node:http').ServerResponse) => response.destroy();
    const dead = await unrulyExecutor(url, { '/beat': reset, '/run': reset });
    const good = await unrulyExecutor(url, {});
    const { id } = await job({ route: 'FAILOVER' });
    for (let time = 1; time <= 10; time++) {
      await ring.jobs.trigger(id);
      await eventually(() => expect(good.runs()).toHaveLength(time));
    }
    // Whichever of the two is asked first: the first three calls fail, and what is meant for the dead one waits from then on.
    const direct = await job();
    const waiting: number[] = [];
    for (let time = 0; time < 5; time++) {
      const run = await ring.jobs.trigger(direct.id, { address: dead.url });
      const { state, waitingFor } = await eventually(async () => {
        const seen = (await ring.runs.get(run.id))!;
        if (seen.state !== 'failed' && seen.waitingFor === null) throw new Error(`Run ${run.id} is ${seen.state}`);
        return seen;
      });
      expect([state, waitingFor]).toEqual(waitingFor === null ? ['failed', null] : ['pending', 'breaker']);
      if (waitingFor !== null) waiting.push(run.id);
    }
    expect(dead.calls).toHaveLength(3);
    expect(waiting.length).toBeGreaterThanOrEqual(2);
    const state = async () => (await ring.executors.list()).find(({ address }) => address === dead.url)?.breaker;
    expect(await state()).toBe('open');
    for (const runId of waiting) expect(await ring.runs.kill(runId)).toBe(true);
    await advance(10_000);
    expect(await state()).toBe('half-open');
    await dead.register();
    expect(await state()).toBe('closed');
  });

  test('a kill that is answered with yes counts at once, whatever is called back meanwhile and later', async () => {
    const { ring, url, job, accepted } = await standingStage();
    const executor = await unrulyExecutor(url, {
      '/kill': async ({ logId }, response) => {
        await executor.callback(logId, 200, 'killed, says the executor as a success');
        reply(response, { code: 200 });
      },
    });
    const { id } = await job({ retries: 2 });
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    expect(await ring.runs.kill(run.id)).toBe(true);
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'killed', code: 500 });
    await executor.callback(run.id, 200, 'later');
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'killed' });
    expect((await ring.runs.list({ fireId: run.fireId })).runs).toHaveLength(1);
  });

  test('a kill of a run that is just being sent waits for the answer, and is then sent too; two kills of one run do no harm', async () => {
    const { ring, url, job } = await standingStage();
    let answerRun!: () => void;
    const executor = await unrulyExecutor(url, {
      '/run': (_body, response) =>
        new Promise<void>((resolve) => {
          answerRun = () => resolve(void reply(response, { code: 200 }));
        }),
    });
    const { id } = await job({ retries: 2 });
    const run = await ring.jobs.trigger(id);
    await eventually(() => expect(executor.runs()).toHaveLength(1));
    const kills = [ring.runs.kill(run.id), ring.runs.kill(run.id)];
    answerRun();
    expect((await Promise.all(kills)).filter((isKilled) => isKilled)).toHaveLength(1);
    expect(executor.calls.some(({ path }) => path === '/kill')).toBe(true);
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'killed' });
  });

  test('a kill that is refused is told, and a result that came meanwhile counts', async () => {
    const { ring, url, job, accepted, ended } = await standingStage();
    const executor = await unrulyExecutor(url, {
      '/kill': async ({ logId }, response) => {
        await executor.callback(logId, 200, 'done meanwhile');
        reply(response, { code: 500, msg: 'cannot' });
      },
    });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await expect(ring.runs.kill(run.id)).rejects.toMatchObject({ code: 'kill-refused' });
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', message: 'done meanwhile' });
  });

  test('an executor that cannot show a log gives no lines and no error', async () => {
    const { ring, url, job, accepted } = await standingStage();
    const executor = await unrulyExecutor(url, {
      '/log': (_body, response) => reply(response, { code: 500, msg: 'no logs' }),
    });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    expect(await ring.runs.log(run.id)).toEqual({ lines: [], nextLine: 0, end: false });
    await executor.close();
    expect(await ring.runs.log(run.id, { fromLine: 4 })).toEqual({ lines: [], nextLine: 4, end: false });
  });

  test('an executor of ours that is delivered the same run twice runs it once', async () => {
    const { ring, url, job, ended, registered } = await networkStage();
    const started: number[] = [];
    const executor = await remoteExecutor({ ring: url, handlers: { work: ({ runId }) => void started.push(runId) } });
    await registered(1);
    // A proxy that sends every run twice, as a network that loses answers would make a scheduler do.
    await unrulyExecutor(
      url,
      {
        '/run': async (body, response) => {
          const answers = await Promise.all([
            postJson(executor.address, '/run', body),
            postJson(executor.address, '/run', body),
          ]);
          expect(answers.map(({ body: { code } }) => code)).toEqual([200, 200]);
          reply(response, { code: 200 });
        },
      },
      'doubled',
    );
    const { id } = await job({ executorGroup: 'doubled' });
    const run = await ring.jobs.trigger(id);
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded' });
    expect(started).toEqual([run.id]);
  });

  test('a result that comes while its run is being killed is durable, and counts when the kill is refused', async () => {
    const { ring, url, job, accepted, ended } = await standingStage();
    const codes: number[] = [];
    const executor = await unrulyExecutor(url, {
      '/kill': async ({ logId }, response) => {
        codes.push((await executor.callback(logId, 200, 'done meanwhile')).body.code);
        expect((await ring.runs.get(logId))?.state).toBe('running');
        reply(response, { code: 500, msg: 'cannot' });
      },
    });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await expect(ring.runs.kill(run.id)).rejects.toMatchObject({ code: 'kill-refused' });
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', message: 'done meanwhile' });
    codes.push((await executor.callback(run.id, 200, 'done meanwhile')).body.code);
    expect(codes).toEqual([200, 200]);
  });

  test('a result that comes while its run is being killed counts, though the kill is never concluded', async () => {
    const { ring, url, job, accepted, ended, advance } = await standingStage({ callTimeoutMs: 600_000 });
    const answering = deferred<void>();
    const executor = await unrulyExecutor(url, {
      '/kill': async ({ logId }) => {
        expect((await executor.callback(logId, 200, 'done meanwhile')).body.code).toBe(200);
        answering.resolve();
      },
    });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    ring.runs.kill(run.id).catch(() => {});
    await answering.promise;
    // As when the node that kills is lost: the pass that finds the kept result may be any node's.
    await advance(61_000);
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', code: 200, message: 'done meanwhile' });
  });

  test('a callback of many results is answered with yes only when each is durable or of a run that is over', async () => {
    const { ring, url, job, accepted, heard } = await standingStage();
    await unrulyExecutor(url, {});
    const { id } = await job();
    const runs = [await ring.jobs.trigger(id), await ring.jobs.trigger(id)];
    for (const run of runs) await accepted(run.id);
    const item = (logId: number) => ({ logId, logDateTim: 0, handleCode: 200, handleMsg: null });
    const batch = [item(runs[0]!.id), item(runs[0]!.id), item(987_654), item(runs[1]!.id)];
    expect((await postJson(url, '/api/callback', batch)).body.code).toBe(200);
    for (const run of runs) expect((await ring.runs.get(run.id))?.state).toBe('succeeded');
    expect(heard.filter(({ name }) => name === 'result-refused')).toMatchObject([
      { event: { runId: runs[0]!.id, reason: 'already-over' } },
    ]);
    expect((await postJson(url, '/api/callback', batch)).body.code).toBe(200);
  });

  test('a result of a run that no remote executor was sent is refused, and the run goes on', async () => {
    const { ring, url, job } = await networkStage();
    const { handler, begun, end } = heldHandler();
    await createExecutor({ ring, handlers: { work: handler } });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await begun(run.id);
    const callback = [{ logId: run.id, logDateTim: 0, handleCode: 200, handleMsg: 'not mine' }];
    expect((await postJson(url, '/api/callback', callback)).body).toMatchObject({ code: 500 });
    expect((await ring.runs.get(run.id))?.state).toBe('running');
    end(run.id, 'mine');
    await eventually(async () => expect(await ring.runs.get(run.id)).toMatchObject({ message: 'mine' }));
  });

  test('the children of a broadcast follow once, though all its shards report in the same moment', async () => {
    const { ring, url, job, allEnded } = await networkStage();
    const shards: number[] = [];
    for (let number = 0; number < 3; number++) {
      const executor: Awaited<ReturnType<typeof unrulyExecutor>> = await unrulyExecutor(url, {
        '/run': ({ logId }, response) => {
          shards.push(logId);
          if (shards.length % 3 === 0) for (const shard of shards.splice(0)) void executor.callback(shard);
          reply(response, { code: 200 });
        },
      });
    }
    await createExecutor({ ring, group: 'children', handlers: { child: () => 'follows' } });
    const child = await job({ name: 'child', handler: 'child', executorGroup: 'children' });
    const parent = await job({ route: 'SHARDING_BROADCAST', children: [child.id] });
    for (let time = 1; time <= 5; time++) {
      await allEnded((await ring.jobs.trigger(parent.id)).fireId, 3);
      await eventually(async () => expect((await ring.runs.list({ jobId: child.id })).runs).toHaveLength(time));
    }
  });

  test('a log that cannot be read does not look like an empty finished one', async () => {
    const { ring, url, job, accepted } = await standingStage();
    const executor = await unrulyExecutor(url, {
      '/log': (_body, response) => reply(response, { code: 500, msg: 'no logs' }),
    });
    const { id } = await job();
    const run = await ring.jobs.trigger(id);
    await accepted(run.id);
    await executor.callback(run.id);
    expect(await ring.runs.log(run.id)).toEqual({ lines: [], nextLine: 0, end: false });
  });

  test('a hundred results of many long messages arrive, and a body that is refused is logged with its size', async () => {
    const warnings: object[] = [];
    const log = { ...silentLogger, warn: (facts: object) => void warnings.push(facts) };
    const { ring, url, job, registered } = await networkStage({ http: { port: 0, maxBodyBytes: 300_000 }, log });
    const work = () => {
      throw new Error('\u20ac'.repeat(50_000));
    };
    await remoteExecutor({ ring: url, handlers: { work }, callbackRetryMs: 10 });
    await registered(1);
    const { id } = await job({ block: 'CONCURRENT', concurrency: 100 });
    await Promise.all(Array.from({ length: 60 }, () => ring.jobs.trigger(id)));
    await eventually(async () => expect((await ring.runs.list({ state: 'failed' })).runs).toHaveLength(60));
    expect(warnings.filter((facts) => 'setting' in facts)).toEqual([]);
    expect((await postJson(url, '/api/callback', ['x'.repeat(400_000)])).status).toBe(413);
    expect(warnings).toContainEqual({ bytes: 400_004, limit: 300_000, setting: 'http.maxBodyBytes' });
  });

  test('a scheduler that takes little bodies gets the results all the same, with shorter messages', async () => {
    const { ring, url, job, ended, registered } = await networkStage({ http: { port: 0, maxBodyBytes: 2_000 } });
    await remoteExecutor({ ring: url, handlers: { work: () => 'm'.repeat(15_000) }, callbackRetryMs: 10 });
    await registered(1);
    const run = await ring.jobs.trigger((await job()).id);
    expect((await ended(run.id)).message).toMatch(/^m{1,2000}$/);
  });
});
