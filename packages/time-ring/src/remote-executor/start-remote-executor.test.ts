import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loopbackServer, reply } from '../../test/support/loopback-server.js';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import type { Handler, RunContext } from '../handler.js';
import type { CallbackItem } from '../wire/callback-message.js';
import { type RemoteExecutorOptions, startRemoteExecutor } from './start-remote-executor.js';

/** A scheduler that keeps what it is told. */
async function scheduler() {
  const answers = { registry: true, callback: true };
  const state = { isUp: true };
  const server = await loopbackServer((call, response) => {
    if (!state.isUp) return void response.destroy();
    const isYes = call.path.endsWith('/callback') ? answers.callback : answers.registry;
    reply(response, { code: isYes ? 200 : 500, msg: isYes ? null : 'no' });
  });
  const bodies = (path: string) =>
    server.calls.filter((call) => call.path.endsWith(path)).map(({ text }) => JSON.parse(text));
  return {
    url: server.url,
    calls: server.calls,
    state,
    answers,
    bodies,
    results: () => (state.isUp ? (bodies('/api/callback').flat() as CallbackItem[]) : []),
  };
}

async function stage(handlers: Record<string, Handler>, options: Partial<RemoteExecutorOptions> = {}) {
  const center = await scheduler();
  const clock = createManualClock({ now: Date.parse('2026-01-01T00:00:00Z') });
  const executor = await startRemoteExecutor({ ring: center.url, handlers, clock, ...options });
  onTestFinished(async () => {
    const stopping = executor.stop();
    await clock.advanceBy(10_000);
    await stopping;
  });
  const call = async (path: string, body: unknown, headers = {}) =>
    (await postJson(executor.address, path, body, headers)).body;
  const run = (logId: number, more = {}) =>
    call('/run', { jobId: 1, logId, executorHandler: 'work', glueType: 'BEAN', logDateTime: clock.now(), ...more });
  const results = (count: number) =>
    vi.waitFor(() => {
      const all = center.results();
      expect(all.length).toBeGreaterThanOrEqual(count);
      return all;
    });
  return { center, clock, executor, call, run, results };
}

/** A handler that goes on until it is told to end, or is aborted. */
function longHandler() {
  const contexts: RunContext[] = [];
  const ends: (() => void)[] = [];
  const handler: Handler = (context) => {
    contexts.push(context);
    return new Promise((resolve) => void ends.push(() => resolve(undefined)));
  };
  return { handler, contexts, ends };
}

test('registers at once and says with every beat that it is alive', async () => {
  const { center, clock, executor } = await stage({}, { group: 'app', beatMs: 20_000 });
  const registrations = () => center.bodies('/api/registry');
  await vi.waitFor(() => expect(registrations()).toHaveLength(1));
  expect(registrations()[0]).toEqual({
    registryGroup: 'EXECUTOR',
    registryKey: 'app',
    registryValue: executor.address,
  });
  expect(executor).toMatchObject({ group: 'app', address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  await clock.advanceBy(19_999);
  expect(registrations()).toHaveLength(1);
  await clock.advanceBy(1);
  await vi.waitFor(() => expect(registrations()).toHaveLength(2));
});

test('a scheduler that starts later is found: the registration goes on trying', async () => {
  const center = await scheduler();
  center.state.isUp = false;
  const clock = createManualClock({ now: 0 });
  const executor = await startRemoteExecutor({ ring: center.url, handlers: {}, clock });
  onTestFinished(async () => {
    const stopping = executor.stop();
    await clock.advanceBy(10_000);
    await stopping;
  });
  await vi.waitFor(() => expect(center.calls).toHaveLength(1));
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  center.state.isUp = true;
  await clock.advanceBy(1_000);
  await vi.waitFor(() => expect(center.calls).toHaveLength(2));
});

test('of several schedulers the first that answers is enough, and it is asked first from then on', async () => {
  const [down, up] = [await scheduler(), await scheduler()];
  down.state.isUp = false;
  const { run, results } = await stage({ work: () => 'fine' }, { ring: [down.url, `${up.url}/xxl-job-admin/`] });
  await vi.waitFor(() => expect(up.bodies('/xxl-job-admin/api/registry')).toHaveLength(1));
  void results;
  await run(1);
  await vi.waitFor(() => expect(up.bodies('/api/callback')).toHaveLength(1));
  expect(down.calls.map(({ path }) => path)).toEqual(['/api/registry']);
});

test('runs a handler and calls its result back, with all that the run is about', async () => {
  const contexts: RunContext[] = [];
  const { run, results } = await stage({
    work: (context) => {
      contexts.push(context);
      return 'done';
    },
  });
  const horae = { fireId: 7, attempt: 3, triggerType: 'retry', params: { a: 1 } };
  expect(await run(9, { horae, scheduleTime: 60_000, broadcastIndex: 1, broadcastTotal: 4 })).toEqual({
    code: 200,
    msg: null,
  });
  expect(await results(1)).toEqual([
    { logId: 9, logDateTim: Date.parse('2026-01-01T00:00:00Z'), handleCode: 200, handleMsg: 'done' },
  ]);
  expect(contexts[0]).toMatchObject({
    jobId: 1,
    runId: 9,
    fireId: 7,
    attempt: 3,
    triggerType: 'retry',
    params: { a: 1 },
    scheduleTime: 60_000,
    shardIndex: 1,
    shardTotal: 4,
  });
});

test('a handler that throws is 500, one over its time limit 502 with its signal aborted', async () => {
  const { handler, contexts } = longHandler();
  const { run, results, clock } = await stage({
    work: () => {
      throw new Error('broken');
    },
    slow: handler,
  });
  await run(1);
  await run(2, { jobId: 2, executorHandler: 'slow', executorTimeout: 3 });
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  await clock.advanceBy(3_000);
  expect(await results(2)).toMatchObject([
    { logId: 1, handleCode: 500, handleMsg: 'broken' },
    { logId: 2, handleCode: 502, handleMsg: 'Timed out after 3000 ms' },
  ]);
  expect(contexts[0]!.signal.aborted).toBe(true);
});

test('a run that is delivered again is answered with yes and does not start again, nor while its result is on its way', async () => {
  const { handler, contexts, ends } = longHandler();
  const { run, results, center, clock } = await stage({ work: handler });
  for (let time = 0; time < 3; time++) expect((await run(1)).code).toBe(200);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  center.answers.callback = false;
  ends[0]!();
  await vi.waitFor(() => expect(center.bodies('/api/callback')).toHaveLength(1));
  expect((await run(1)).code).toBe(200);
  center.answers.callback = true;
  await clock.advanceBy(1_000);
  await results(2);
  expect(contexts).toHaveLength(1);
});

test.each([
  { story: 'an unknown handler', more: { executorHandler: 'nobody' }, says: /No handler named "nobody"/ },
  {
    story: 'a handler named like a property of every object',
    more: { executorHandler: 'constructor' },
    says: /No handler named/,
  },
  { story: 'a script', more: { glueType: 'GLUE_SHELL', glueSource: 'touch /tmp/owned' }, says: /glueType GLUE_SHELL/ },
  { story: 'a broken logId', more: { logId: 'x' }, says: /logId/ },
])('a run with $story is refused with code 500', async ({ more, says }) => {
  const { run } = await stage({ work: () => {} });
  expect(await run(1, more)).toEqual({ code: 500, msg: expect.stringMatching(says) });
});

test('idleBeat says whether a run of the job is here', async () => {
  const { handler, contexts } = longHandler();
  const { run, call } = await stage({ work: handler });
  expect((await call('/idleBeat', { jobId: 1 })).code).toBe(200);
  await run(1);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  expect((await call('/idleBeat', { jobId: 1 })).code).toBe(500);
  expect((await call('/idleBeat', { jobId: 2 })).code).toBe(200);
});

test.each(['{}', '', '"beat"', 'no JSON', '[1]'])('beat is answered whatever its body: %j', async (body) => {
  const { executor } = await stage({});
  const answer = await rawRequest(executor.address, { method: 'POST', path: '/beat', body });
  expect(JSON.parse(answer.text)).toEqual({ code: 200, msg: null });
});

test('block strategies hold behind HTTP: SERIAL waits, DISCARD is refused, COVER kills the old run', async () => {
  const { handler, contexts, ends } = longHandler();
  const { run, results } = await stage({ work: handler });
  expect((await run(1)).code).toBe(200);
  expect((await run(2, { executorBlockStrategy: 'SERIAL_EXECUTION' })).code).toBe(200);
  expect(await run(3, { executorBlockStrategy: 'DISCARD_LATER' })).toMatchObject({
    code: 500,
    msg: expect.stringMatching(/Discarded/),
  });
  await vi.waitFor(() => expect(contexts.map(({ runId }) => runId)).toEqual([1]));
  ends[0]!();
  await vi.waitFor(() => expect(contexts.map(({ runId }) => runId)).toEqual([1, 2]));
  expect((await run(4, { executorBlockStrategy: 'COVER_EARLY' })).code).toBe(200);
  expect(await results(2)).toMatchObject([
    { logId: 1, handleCode: 200 },
    { logId: 2, handleCode: 500, handleMsg: 'Covered by run 4', horae: { state: 'killed' } },
  ]);
  await vi.waitFor(() => expect(contexts.at(-1)?.runId).toBe(4));
  expect(contexts[1]!.signal.aborted).toBe(true);
});

test('CONCURRENT runs as many at once as the job allows', async () => {
  const { handler, contexts, ends } = longHandler();
  const { run } = await stage({ work: handler });
  for (const logId of [1, 2, 3]) await run(logId, { executorBlockStrategy: 'CONCURRENT', executorConcurrency: 2 });
  await vi.waitFor(() => expect(contexts.map(({ runId }) => runId)).toEqual([1, 2]));
  ends[1]!();
  await vi.waitFor(() => expect(contexts.map(({ runId }) => runId)).toEqual([1, 2, 3]));
});

test('more waiting runs of a job than queueLimit are refused', async () => {
  const { handler } = longHandler();
  const { run } = await stage({ work: handler }, { queueLimit: 1 });
  const codes: number[] = [];
  for (const logId of [1, 2, 3]) codes.push((await run(logId)).code);
  expect(codes).toEqual([200, 200, 500]);
});

test('kill with a logId ends that run alone; without, all of the job, queued ones included', async () => {
  const { handler, contexts } = longHandler();
  const { run, call, results } = await stage({ work: handler });
  for (const logId of [1, 2, 3, 4]) await run(logId);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  expect((await call('/kill', { jobId: 1, logId: 3 })).code).toBe(200);
  expect(await results(1)).toMatchObject([{ logId: 3, handleCode: 500, horae: { state: 'killed' } }]);
  expect(contexts[0]!.signal.aborted).toBe(false);
  expect((await call('/kill', { jobId: 1 })).code).toBe(200);
  const killed = (await results(4)).map(({ logId }) => logId);
  expect(killed.sort()).toEqual([1, 2, 3, 4]);
  expect(contexts[0]!.signal.aborted).toBe(true);
  expect((await call('/kill', { jobId: 99 })).code).toBe(200);
});

test('a run that has just ended by itself is not killed any more: its own result counts', async () => {
  const { run, call, center, clock, results } = await stage({ work: () => 'fine' });
  center.answers.callback = false;
  await run(1);
  await vi.waitFor(() => expect(center.bodies('/api/callback')).toHaveLength(1));
  expect(await call('/kill', { jobId: 1, logId: 1 })).toMatchObject({ code: 500, msg: expect.stringMatching(/over/) });
  center.answers.callback = true;
  await clock.advanceBy(1_000);
  expect((await results(2)).at(-1)).toMatchObject({ logId: 1, handleCode: 200 });
});

test('results wait for the scheduler: the wait doubles up to 30 s, and they go together', async () => {
  const { run, center, clock } = await stage({ work: () => 'fine' }, { callbackRetryMs: 1_000, beatMs: 10_000_000 });
  await vi.waitFor(() => expect(center.bodies('/api/registry')).toHaveLength(1));
  center.answers.callback = false;
  await run(1);
  const tries = () => center.bodies('/api/callback').length;
  let expected = 1;
  for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    await vi.waitFor(() => expect(tries()).toBe(expected));
    await vi.waitFor(() => expect(clock.sleepers).toBe(2));
    await clock.advanceBy(waitMs - 1);
    expect(tries()).toBe(expected);
    await clock.advanceBy(1);
    expected += 1;
  }
  await vi.waitFor(() => expect(tries()).toBe(expected));
  center.answers.callback = true;
  for (const logId of [2, 3, 4]) await run(logId, { jobId: logId });
  await vi.waitFor(() => expect(clock.sleepers).toBe(2));
  await clock.advanceBy(30_000);
  await vi.waitFor(() =>
    expect(
      new Set(
        center
          .bodies('/api/callback')
          .slice(expected)
          .flat()
          .map(({ logId }) => logId),
      ),
    ).toEqual(new Set([1, 2, 3, 4])),
  );
});

test('the log of a run is paged through, lines from 1; line feeds make lines; beyond the end there is nothing', async () => {
  const { handler, contexts, ends } = longHandler();
  const { run, call, clock, results } = await stage({ work: handler });
  await run(5);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  contexts[0]!.log('one');
  contexts[0]!.log('two\nthree');
  const page = async (fromLineNum: number) =>
    (await call('/log', { logId: 5, logDateTim: clock.now(), fromLineNum })).content;
  expect(await page(1)).toEqual({ fromLineNum: 1, toLineNum: 3, logContent: 'one\ntwo\nthree\n', isEnd: false });
  expect(await page(3)).toEqual({ fromLineNum: 3, toLineNum: 3, logContent: 'three\n', isEnd: false });
  expect(await page(4)).toMatchObject({ fromLineNum: 4, logContent: '', isEnd: false });
  contexts[0]!.log('<b>last</b>');
  ends[0]!();
  await results(1);
  expect(await page(4)).toEqual({ fromLineNum: 4, toLineNum: 4, logContent: '<b>last</b>\n', isEnd: true });
  expect(await call('/log', { logId: 999, logDateTim: 0, fromLineNum: 1 })).toMatchObject({
    code: 200,
    content: { logContent: '', isEnd: true },
  });
});

test('a long log comes in pages, and what a run may write has an end', async () => {
  const { run, call, clock, results } = await stage({
    work: ({ log }) => {
      for (let line = 1; line <= 2_500; line++) log(`line ${line}`);
      for (let line = 0; line < 30; line++) log('x'.repeat(400_000));
    },
  });
  await run(1);
  await results(1);
  const lines: string[] = [];
  for (;;) {
    const { content } = await call('/log', { logId: 1, logDateTim: clock.now(), fromLineNum: lines.length + 1 });
    expect(content.logContent.length).toBeLessThan(1_000_000);
    lines.push(...content.logContent.split('\n').slice(0, -1));
    expect(content.toLineNum).toBe(lines.length);
    if (content.isEnd) break;
  }
  expect(lines.slice(0, 2_500)).toEqual(Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`));
  expect(lines.length).toBeLessThan(2_530);
  expect(lines.at(-1)).toMatch(/cut off/);
});

test('logs are kept a folder a day, and days older than thirty go', async () => {
  const logDir = await mkdtemp(join(tmpdir(), 'horae-logs-'));
  onTestFinished(() => rm(logDir, { recursive: true, force: true }));
  for (const day of ['2025-12-01', '2025-12-05', 'mine']) await mkdir(join(logDir, day));
  await writeFile(join(logDir, '2025-12-01', '1.log'), 'old\n');
  await writeFile(join(logDir, '2025-12-05', '3.log'), 'kept\n');
  const { run, call, results } = await stage({ work: ({ log }) => log('new') }, { logDir });
  await run(2);
  await results(1);
  await vi.waitFor(async () => expect((await readdir(logDir)).sort()).toEqual(['2025-12-05', '2026-01-01', 'mine']));
  expect(
    (await call('/log', { logId: 3, logDateTim: Date.parse('2025-12-05T12:00:00Z'), fromLineNum: 1 })).content
      .logContent,
  ).toBe('kept\n');
});

test('the payload of a log may be in `data`', async () => {
  const { call } = await stage({}, { payloadField: 'data' });
  expect(await call('/log', { logId: 1, fromLineNum: 1 })).toMatchObject({ code: 200, data: { logContent: '' } });
});

test('a wrong token is HTTP 200 and code 500 on every call; the right one is sent with its own calls', async () => {
  const started: number[] = [];
  const { executor, center, call } = await stage(
    { work: ({ runId }) => void started.push(runId) },
    { accessToken: 'secret', tokenHeader: 'ORTH-ACCESS-TOKEN' },
  );
  for (const path of ['/beat', '/idleBeat', '/run', '/kill', '/log']) {
    const answer = await postJson(executor.address, path, { jobId: 1, logId: 1, executorHandler: 'work' });
    expect(answer).toMatchObject({ status: 200, body: { code: 500 } });
  }
  expect(started).toEqual([]);
  expect((await call('/beat', {}, { 'orth-access-token': 'secret' })).code).toBe(200);
  await vi.waitFor(() => expect(center.calls[0]?.headers['orth-access-token']).toBe('secret'));
});

test('malformed JSON, bodies over the limit, other methods and paths are HTTP errors, and it lives on', async () => {
  const { executor, call } = await stage({}, { maxBodyBytes: 500 });
  const status = async (options: Parameters<typeof rawRequest>[1]) =>
    (await rawRequest(executor.address, options)).status;
  expect(await status({ method: 'POST', path: '/run', body: '{' })).toBe(400);
  expect(await status({ method: 'POST', path: '/run', body: 'x'.repeat(501) })).toBe(413);
  expect(await status({ method: 'GET', path: '/beat' })).toBe(405);
  expect(await status({ method: 'POST', path: '/toString', body: '{}' })).toBe(404);
  expect(await status({ method: 'POST', path: '/run/', body: '{}' })).toBe(404);
  expect((await call('/beat', {})).code).toBe(200);
});

test('a web page cannot run handlers of an executor without a token', async () => {
  const { executor } = await stage({ work: () => {} });
  const answer = await postJson(
    executor.address,
    '/run',
    { jobId: 1, logId: 1, executorHandler: 'work' },
    { origin: 'https://evil.example', 'content-type': 'text/plain' },
  );
  expect(answer.body).toMatchObject({ code: 500, msg: expect.stringMatching(/web pages/) });
});

test('an address with a path is registered as it is, and calls come below it or without it', async () => {
  const { executor, center } = await stage({}, { address: 'http://proxy.example:8080/jobs/' });
  expect(executor.address).toBe('http://proxy.example:8080/jobs/');
  await vi.waitFor(() =>
    expect(center.bodies('/api/registry')).toMatchObject([{ registryValue: 'http://proxy.example:8080/jobs/' }]),
  );
});

test('stop leaves the registry, aborts what runs, delivers every result, and closes the port; twice is fine', async () => {
  const { handler, contexts } = longHandler();
  const { executor, center, run } = await stage({ work: handler });
  for (const logId of [1, 2]) await run(logId);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  await Promise.all([executor.stop(), executor.stop()]);
  expect(contexts[0]!.signal.aborted).toBe(true);
  expect(center.bodies('/api/registryRemove')).toEqual([
    { registryGroup: 'EXECUTOR', registryKey: 'default', registryValue: executor.address },
  ]);
  expect(center.results()).toMatchObject([
    { logId: 1, handleCode: 500, handleMsg: 'The executor stopped' },
    { logId: 2, handleCode: 500 },
  ]);
  const order = center.calls.map(({ path }) => path);
  expect(order.indexOf('/api/registryRemove')).toBeLessThan(order.indexOf('/api/callback'));
  await expect(rawRequest(executor.address, { method: 'POST', path: '/beat', body: '{}' })).rejects.toThrow();
});

test('stop does not wait longer than 5 s for a scheduler that is gone', async () => {
  const { handler, contexts } = longHandler();
  const { executor, center, run, clock } = await stage({ work: handler });
  await run(1);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  center.state.isUp = false;
  let isStopped = false;
  const stopping = executor.stop().then(() => {
    isStopped = true;
  });
  await vi.waitFor(() => expect(contexts[0]!.signal.aborted).toBe(true));
  await clock.advanceBy(5_000);
  await stopping;
  expect(isStopped).toBe(true);
});

test.each([
  { story: 'no scheduler', options: { ring: [] }, field: 'ring' },
  { story: 'a scheduler that is no URL', options: { ring: 'localhost' }, field: 'ring' },
  { story: 'an address that is no URL', options: { address: 'local:1' }, field: 'address' },
  { story: 'an empty group', options: { group: ' ' }, field: 'group' },
  { story: 'a host that others reach, without a token', options: { host: '0.0.0.0' }, field: 'host' },
  { story: 'a beat of nothing', options: { beatMs: 0 }, field: 'beatMs' },
])('$story is a bad-option', async ({ options, field }) => {
  const started = startRemoteExecutor({ ring: 'http://127.0.0.1:1', handlers: {}, ...options });
  await expect(started).rejects.toMatchObject({ code: 'bad-option', details: { field } });
});
