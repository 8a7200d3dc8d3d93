import { expect, test } from 'vitest';
import { childProgram } from '../support/child-program.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage } from '../support/network-stage.js';

const accessToken = 'token-of-the-company';

async function withExecutor(program: string, timeRing = {}) {
  const stage = await networkStage({ http: { port: 0, accessToken, ...timeRing } });
  const executor = await childProgram(program, { url: stage.url, accessToken, group: 'app' });
  const [info] = await stage.registered(1);
  const job = (handler: string, more = {}) => stage.job({ handler, executorGroup: 'app', ...more });
  const trigger = async (handler: string, more = {}, options = {}) =>
    stage.ring.jobs.trigger((await job(handler, more)).id, options);
  return { ...stage, executor, info: info!, job, trigger };
}

const packages = [
  { name: 'xxl-job 0.1.7', program: 'xxl-job-0.1.7.mjs' },
  { name: '@dalongrong/xxl-job-executor 0.0.1', program: 'dalongrong-0.0.1.mjs' },
];

onEveryDatabase(() => {
  test.each(packages)(
    '$name registers below /xxl-job-admin with its path, runs, and calls back',
    async ({ program }) => {
      const { info, trigger, ended, executor } = await withExecutor(program);
      expect(info).toMatchObject({
        group: 'app',
        kind: 'remote',
        breaker: 'closed',
        address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/job$/),
      });
      const run = await trigger('work', { params: { day: 1 } });
      const result = await ended(run.id);
      expect(result).toMatchObject({ state: 'succeeded', code: 200, address: info.address });
      expect(JSON.parse(result.message!)).toEqual({ seen: program.startsWith('xxl') ? '{"day":1}' : { day: 1 } });
      expect(executor.told.filter(({ event }) => event === 'started')).toHaveLength(1);
    },
  );

  test.each(packages)('$name tells that a handler failed, and that it does not know one', async ({ program }) => {
    const { trigger, ended } = await withExecutor(program);
    expect(await ended((await trigger('fail')).id)).toMatchObject({
      state: 'failed',
      code: 500,
      message: 'the handler is broken',
    });
    expect(await ended((await trigger('nobody')).id)).toMatchObject({
      state: 'failed',
      code: 500,
      message: expect.stringMatching(/nobody/),
    });
  });

  test.each(packages)(
    '$name gives a run up at its time limit, which is a failure, and is retried',
    async ({ program }) => {
      const { trigger, allEnded } = await withExecutor(program);
      const run = await trigger('long', { timeoutMs: 700, retries: 1 });
      const runs = await allEnded(run.fireId, 2);
      expect(runs).toMatchObject([
        { state: 'failed', attempt: 1, message: expect.stringMatching(/time ?out/i) },
        { attempt: 2, triggerType: 'retry' },
      ]);
    },
  );

  test.each(packages)('$name answers beat and idleBeat, so that FAILOVER and BUSYOVER find it', async ({ program }) => {
    const { job, ring, ended, waiting, executor } = await withExecutor(program);
    for (const route of ['FAILOVER', 'BUSYOVER', 'SHARDING_BROADCAST'] as const) {
      const { id } = await job('work', { route });
      expect(await ended((await ring.jobs.trigger(id)).id)).toMatchObject({ state: 'succeeded' });
    }
    const busy = await job('long', { route: 'BUSYOVER' });
    const first = await ring.jobs.trigger(busy.id);
    await eventually(async () => expect((await ring.runs.get(first.id))?.state).toBe('running'));
    await executor.until(({ event, logId }) => event === 'started' && (logId === undefined || logId === first.id));
    await waiting((await ring.jobs.trigger(busy.id)).id, 'slot');
  });

  test('xxl-job 0.1.7 calls a killed run back as a success before it answers the kill: it is killed all the same', async () => {
    const { trigger, ring, executor, accepted } = await withExecutor('xxl-job-0.1.7.mjs');
    const run = await trigger('long');
    await executor.until(({ event, logId }) => event === 'started' && logId === run.id);
    await accepted(run.id);
    expect(await ring.runs.kill(run.id)).toBe(true);
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'killed', code: 500 });
    await executor.until(({ event }) => event === 'noticed');
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'killed' });
    expect(await ring.runs.kill(run.id)).toBe(false);
  });

  test('@dalongrong/xxl-job-executor 0.0.1 answers every kill with 500: that is told, the run goes on, and its own result counts', async () => {
    const { trigger, ring, executor, ended, accepted } = await withExecutor('dalongrong-0.0.1.mjs');
    const run = await trigger('long');
    await executor.until(({ event }) => event === 'started');
    await accepted(run.id);
    await expect(ring.runs.kill(run.id)).rejects.toMatchObject({
      code: 'kill-refused',
      message: expect.stringMatching(/not yet support/),
    });
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'running' });
    executor.say({ release: true });
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', message: 'success' });
  });

  test('@dalongrong/xxl-job-executor 0.0.1 calls a run back twice, at its time limit and at its end: the first counts', async () => {
    const { trigger, heard, executor, ended, ring } = await withExecutor('dalongrong-0.0.1.mjs');
    const run = await trigger('long', { timeoutMs: 1_000 });
    expect(await ended(run.id)).toMatchObject({ state: 'failed', message: 'timeout' });
    executor.say({ release: true });
    await eventually(() => expect(heard.filter(({ name }) => name === 'result-refused')).toHaveLength(1));
    expect(await ring.runs.get(run.id)).toMatchObject({ state: 'failed', message: 'timeout' });
  });

  test.each(packages)('$name ignores block strategies: what it refuses is a failed run', async ({ program }) => {
    const { job, ring, ended, executor } = await withExecutor(program);
    const { id } = await job('long', { block: 'SERIAL' });
    const first = await ring.jobs.trigger(id);
    await executor.until(({ event }) => event === 'started');
    const second = await ended((await ring.jobs.trigger(id)).id);
    expect(second).toMatchObject({ state: 'failed', code: 500, message: expect.stringMatching(/same job is running/) });
    expect((await ring.runs.get(first.id))?.state).toBe('running');
  });

  test.each(packages)('the log of $name can be read', async ({ program }) => {
    const { trigger, ended, ring } = await withExecutor(program);
    const run = await trigger('work');
    await ended(run.id);
    await eventually(async () => {
      const { lines, nextLine, end } = await ring.runs.log(run.id);
      expect(lines.join('\n')).toContain('a line of the handler');
      expect(lines[0]).not.toBe('');
      expect({ nextLine, end }).toEqual({ nextLine: lines.length, end: true });
    });
  });

  test.each([
    { name: 'xxl-job 0.1.7', program: 'xxl-job-0.1.7.mjs', farewell: { cancel: true } },
    { name: '@dalongrong/xxl-job-executor 0.0.1', program: 'dalongrong-0.0.1.mjs', farewell: { close: true } },
  ])('$name leaves the registry', async ({ program, farewell }) => {
    const { executor, registered } = await withExecutor(program);
    executor.say(farewell);
    await registered(0);
  });

  test.each(packages)('$name with another token than ours gets in nowhere', async ({ program }) => {
    const stage = await networkStage({ http: { port: 0, accessToken } });
    await childProgram(program, { url: stage.url, accessToken: 'another', group: 'app' });
    const { id } = await stage.job({ executorGroup: 'app' });
    await stage.waiting((await stage.ring.jobs.trigger(id)).id, 'executor');
    expect(await stage.ring.executors.list()).toEqual([]);
  });
});
