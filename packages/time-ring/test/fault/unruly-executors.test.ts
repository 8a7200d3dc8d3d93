import { createManualClock } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';
import { reply } from '../support/loopback-server.js';
import { eventually, networkStage, remoteExecutor } from '../support/network-stage.js';
import { postJson } from '../support/raw-request.js';
import { START } from '../support/ring-stage.js';
import { unrulyExecutor } from '../support/unruly-executor.js';

async function standingStage(http = {}) {
  const clock = createManualClock({ now: START });
  const stage = await networkStage({ clock, http: { port: 0, ...http } });
  return { ...stage, clock };
}

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
    const { ring, url, job, allEnded } = await standingStage();
    await unrulyExecutor(url, { '/run': (_body, response) => answer(response) }, 'group');
    const good = await unrulyExecutor(url, {}, 'group');
    const { id } = await job({ executorGroup: 'group', retries: 1, route: 'ROUND' });
    for (let time = 0; time < 2; time++) {
      const run = await ring.jobs.trigger(id);
      await eventually(async () => {
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
  const { ring, url, job, ended, clock, heard } = await standingStage();
  const executor = await unrulyExecutor(url, { '/run': () => {} });
  const { id } = await job();
  const run = await ring.jobs.trigger(id);
  await eventually(() => expect(executor.runs()).toHaveLength(1));
  await clock.advanceBy(3_000);
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
  const { ring, url, job, accepted, clock } = await standingStage({ resultGraceMs: 5_000 });
  await unrulyExecutor(url, {});
  const { id } = await job({ timeoutMs: 2_000 });
  const run = await ring.jobs.trigger(id);
  await accepted(run.id);
  await clock.advanceBy(6_000);
  expect((await ring.runs.get(run.id))?.state).toBe('running');
  await clock.advanceBy(3_000);
  expect(await ring.runs.get(run.id)).toMatchObject({ state: 'failed', code: 502 });
});

test('an executor that is not heard of for 90 s is lost: its runs fail with 500 and are retried elsewhere', async () => {
  const { ring, url, job, accepted, clock, heard, allEnded } = await standingStage();
  const mute = await unrulyExecutor(url, {});
  const { id } = await job({ retries: 1 });
  const run = await ring.jobs.trigger(id);
  await accepted(run.id);
  await mute.close();
  await clock.advanceBy(60_000);
  const other = await unrulyExecutor(url, {});
  await clock.advanceBy(29_000);
  expect((await ring.runs.get(run.id))?.state).toBe('running');
  await clock.advanceBy(3_000);
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
  const { ring, url, job, accepted, clock, ended } = await standingStage();
  const executor = await unrulyExecutor(url, {});
  const { id } = await job();
  const run = await ring.jobs.trigger(id);
  await accepted(run.id);
  await executor.leave();
  await clock.advanceBy(120_000);
  expect((await ring.runs.get(run.id))?.state).toBe('running');
  expect(await ended((await ring.jobs.trigger(id)).id)).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/No executor/),
  });
  await executor.callback(run.id, 200, 'late but true');
  expect(await ring.runs.get(run.id)).toMatchObject({ state: 'succeeded', message: 'late but true' });
});

test('a dead executor is passed over by FAILOVER and costs no connection while its breaker is open', async () => {
  const { ring, url, job, clock } = await standingStage({ breaker: { failures: 3, openMs: 10_000 } });
  const reset = (_body: unknown, response: import('node:http').ServerResponse) => response.destroy();
  const dead = await unrulyExecutor(url, { '/beat': reset, '/run': reset });
  const good = await unrulyExecutor(url, {});
  const { id } = await job({ route: 'FAILOVER' });
  for (let time = 1; time <= 10; time++) {
    await ring.jobs.trigger(id);
    await eventually(() => expect(good.runs()).toHaveLength(time));
  }
  // Whichever of the two is asked first: those who are sent to the dead one are told, the first three of them by itself.
  for (let time = 0; time < 5; time++) {
    const run = await ring.jobs.trigger(id, { address: dead.url });
    await eventually(async () => expect((await ring.runs.get(run.id))?.state).toBe('failed'));
  }
  expect(dead.calls).toHaveLength(3);
  const state = async () => (await ring.executors.list()).find(({ address }) => address === dead.url)?.breaker;
  expect(await state()).toBe('open');
  await dead.register();
  expect(await state()).toBe('open');
  await clock.advanceBy(10_000);
  expect(await state()).toBe('half-open');
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
