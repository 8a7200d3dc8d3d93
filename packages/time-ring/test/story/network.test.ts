import { expect, test } from 'vitest';
import type { Handler, RunContext } from '../../src/index.js';
import { routeStrategies } from '../../src/job.js';
import { silentLogger } from '../../src/logger.js';
import { eventually, networkStage, remoteExecutor } from '../support/network-stage.js';
import { postJson, rawRequest } from '../support/raw-request.js';

/** A handler whose runs end when the test says so; it keeps every context. */
function heldHandler() {
  const contexts: RunContext[] = [];
  const ends = new Map<number, (value?: unknown) => void>();
  const handler: Handler = (context) => {
    contexts.push(context);
    return new Promise((resolve) => ends.set(context.runId, resolve));
  };
  const begun = (runId: number) =>
    eventually(() => {
      const context = contexts.find((one) => one.runId === runId);
      if (context === undefined) throw new Error(`Run ${runId} has not begun`);
      return context;
    });
  return { handler, contexts, begun, end: (runId: number, value?: unknown) => ends.get(runId)!(value) };
}

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
  const [first, second, third] = [
    await ring.jobs.trigger(id),
    await ring.jobs.trigger(id),
    await ring.jobs.trigger(id),
  ];
  const context = await begun(first.id);
  await begun(second.id);
  await accepted(third.id);
  await eventually(() => ring.runs.kill(third.id).then((isKilled) => expect(isKilled).toBe(true)));
  expect(await ring.runs.kill(first.id)).toBe(true);
  expect(await ended(first.id)).toMatchObject({ state: 'killed', code: 500 });
  expect(await ended(third.id)).toMatchObject({ state: 'killed', code: 500 });
  expect(context.signal.aborted).toBe(true);
  end(second.id, 'untouched');
  expect(await ended(second.id)).toMatchObject({ state: 'succeeded', message: 'untouched' });
});

test('COVER kills the old run, DISCARD fails the new one, SERIAL keeps the order', async () => {
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
    state: 'failed',
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

test.each(routeStrategies)('%s finds its executor among three behind HTTP', async (route) => {
  const { ring, url, job, allEnded, registered } = await networkStage();
  const ran = new Map<string, number>();
  for (let number = 0; number < 3; number++) {
    const executor = await remoteExecutor({
      ring: url,
      handlers: {
        work: () => {
          ran.set(executor.address, (ran.get(executor.address) ?? 0) + 1);
        },
      },
    });
  }
  const executors = await registered(3);
  const { id } = await job({ route });
  const isBroadcast = route === 'SHARDING_BROADCAST';
  for (let time = 0; time < 6; time++) {
    const run = await ring.jobs.trigger(id);
    const runs = await allEnded(run.fireId, isBroadcast ? 3 : 1);
    expect(runs.map(({ state }) => state)).toEqual(runs.map(() => 'succeeded'));
  }
  const counts = executors.map(({ address }) => ran.get(address) ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(total).toBe(isBroadcast ? 18 : 6);
  if (['FIRST', 'FAILOVER', 'BUSYOVER'].includes(route)) expect(counts).toEqual([6, 0, 0]);
  if (route === 'LAST') expect(counts).toEqual([0, 0, 6]);
  if (['ROUND', 'LEAST_FREQUENTLY_USED', 'LEAST_RECENTLY_USED'].includes(route)) expect(counts).toEqual([2, 2, 2]);
  if (isBroadcast) expect(counts).toEqual([6, 6, 6]);
  if (route === 'CONSISTENT_HASH') expect(counts.filter((count) => count > 0)).toHaveLength(1);
});

test('a broadcast tells each executor its shard, and a failed shard is retried at its own index', async () => {
  const { ring, url, job, allEnded, registered } = await networkStage();
  const shards: [string, number, number, number][] = [];
  for (let number = 0; number < 3; number++) {
    const executor = await remoteExecutor({
      ring: url,
      handlers: {
        work: ({ shardIndex, shardTotal, attempt }) => {
          shards.push([executor.address, shardIndex, shardTotal, attempt]);
          if (shardIndex === 1 && attempt === 1) throw new Error('this shard only');
        },
      },
    });
  }
  const addresses = (await registered(3)).map(({ address }) => address);
  const { id } = await job({ route: 'SHARDING_BROADCAST', retries: 1 });
  const run = await ring.jobs.trigger(id);
  await allEnded(run.fireId, 4);
  expect(shards.sort((a, b) => a[1] - b[1] || a[3] - b[3])).toEqual([
    [addresses[0], 0, 3, 1],
    [addresses[1], 1, 3, 1],
    [addresses[1], 1, 3, 2],
    [addresses[2], 2, 3, 1],
  ]);
});

test('an executor that stops fails what it runs, which is retried on another', async () => {
  const { ring, url, job, allEnded, registered } = await networkStage();
  const { handler, begun } = heldHandler();
  const first = await remoteExecutor({ ring: url, handlers: { work: handler } });
  await registered(1);
  const { id } = await job({ retries: 1 });
  const run = await ring.jobs.trigger(id);
  await begun(run.id);
  const second = await remoteExecutor({ ring: url, handlers: { work: () => 'here' } });
  await registered(2);
  await first.stop();
  await registered(1);
  expect(await allEnded(run.fireId, 2)).toMatchObject([
    { state: 'failed', address: first.address, message: 'The executor stopped' },
    { state: 'succeeded', address: second.address, message: 'here' },
  ]);
});

test('an explicit address is kept by the retries', async () => {
  const { ring, url, job, allEnded, registered } = await networkStage();
  const executors = [];
  for (let number = 0; number < 2; number++) {
    executors.push(
      await remoteExecutor({
        ring: url,
        handlers: {
          work: ({ attempt }) => {
            if (attempt === 1) throw new Error('once more');
          },
        },
      }),
    );
  }
  await registered(2);
  const { id } = await job({ retries: 1, route: 'FIRST' });
  for (const { address } of executors) {
    const run = await ring.jobs.trigger(id, { address });
    expect(await allEnded(run.fireId, 2)).toMatchObject([{ address }, { address, state: 'succeeded' }]);
  }
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

test('the admin API drives a real ring: add, trigger, watch, kill, log, page, remove', async () => {
  const { url, registered, accepted } = await networkStage();
  const { handler, begun } = heldHandler();
  await remoteExecutor({ ring: url, handlers: { held: handler, quick: ({ log }) => log('hello') } });
  await registered(1);
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await rawRequest(url, {
      method,
      path,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: answer.status, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
  };
  const quick = (await ask('POST', '/admin/jobs', { name: 'quick', handler: 'quick', schedule: { kind: 'none' } }))
    .body;
  const held = (
    await ask('POST', '/admin/jobs', {
      name: 'held',
      handler: 'held',
      schedule: { kind: 'fix-rate', everyMs: 3_600_000 },
    })
  ).body;
  expect((await ask('POST', `/admin/jobs/${held.id}/start`, {})).body).toMatchObject({
    state: 'RUNNING',
    nextAt: expect.any(Number),
  });
  expect((await ask('POST', `/admin/jobs/${quick.id}/start`, {})).status).toBe(409);
  expect((await ask('PATCH', `/admin/jobs/${quick.id}`, { children: [quick.id] })).status).toBe(409);
  expect((await ask('PATCH', `/admin/jobs/${quick.id}`, { children: [999] })).status).toBe(400);
  expect((await ask('PATCH', '/admin/jobs/999', { retries: 1 })).status).toBe(404);

  const { body: run } = await ask('POST', `/admin/jobs/${held.id}/trigger`, { params: 5 });
  await begun(run.id);
  await accepted(run.id);
  expect((await ask('POST', `/admin/runs/${run.id}/kill`, {})).body).toEqual({ killed: true });
  expect((await ask('POST', `/admin/runs/${run.id}/kill`, {})).body).toEqual({ killed: false });
  expect((await ask('GET', `/admin/runs/${run.id}`)).body).toMatchObject({ state: 'killed', params: 5 });

  const ids: number[] = [];
  for (let time = 0; time < 5; time++) ids.push((await ask('POST', `/admin/jobs/${quick.id}/trigger`, {})).body.id);
  await eventually(async () =>
    expect((await ask('GET', `/admin/runs?jobId=${quick.id}&state=succeeded`)).body.runs).toHaveLength(5),
  );
  expect((await ask('GET', `/admin/runs/${ids[0]}/log?fromLine=0`)).body).toEqual({
    lines: ['hello'],
    nextLine: 1,
    end: true,
  });
  const seen: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { runs: { id: number }[]; cursor: string | null } = (
      await ask(
        'GET',
        `/admin/runs?jobId=${quick.id}&limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
    ).body;
    seen.push(...page.runs.map(({ id }) => id));
    cursor = page.cursor;
  }
  expect(seen).toEqual([...ids].reverse());
  expect((await ask('GET', '/admin/jobs?limit=1')).body).toMatchObject({
    jobs: [{ id: quick.id }],
    cursor: expect.any(String),
  });
  expect((await ask('GET', '/admin/jobs?cursor=nonsense')).status).toBe(400);
  expect((await ask('GET', '/admin/executors?group=default')).body.executors).toHaveLength(1);
  expect((await ask('DELETE', `/admin/jobs/${quick.id}`)).status).toBe(204);
  expect((await ask('DELETE', `/admin/jobs/${quick.id}`)).status).toBe(404);
  expect(
    (
      await ask('POST', '/admin/import', {
        text: '[{"id":1,"job_group":1,"job_desc":"d","executor_handler":"h","job_cron":"0 0 0 * * ?","trigger_status":1}]',
      })
    ).body,
  ).toMatchObject({ imported: [{ xxlId: 1 }], skipped: [] });
  const metrics = (await rawRequest(url, { path: '/admin/metrics' })).text;
  expect(metrics).toMatch(/^horae_ring_succeeded_total 5$/m);
  expect(metrics).toMatch(/^horae_ring_killed_total 1$/m);
});

test('events come over HTTP as they happen', async () => {
  const { ring, url, job, ended, registered } = await networkStage();
  const abort = new AbortController();
  const response = await fetch(`${url}/admin/events`, { signal: abort.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  await remoteExecutor({ ring: url, handlers: { work: () => 'fine' } });
  await registered(1);
  const { id } = await job({});
  const run = await ring.jobs.trigger(id);
  await ended(run.id);
  await eventually(() => {
    for (const name of ['executor-registered', 'job-added', 'run-started', 'run-succeeded', 'pass-completed']) {
      expect(text).toContain(`event: ${name}\ndata: {`);
    }
  });
  abort.abort();
  await reading;
});

test('a stopped ring closes its port', async () => {
  const { ring, url } = await networkStage();
  await ring.stop();
  await expect(rawRequest(url, { path: '/admin/health' })).rejects.toThrow();
});
