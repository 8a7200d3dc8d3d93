import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import { longHandler, remoteExecutor, scheduler } from '../../test/support/remote-executor-stage.js';
import { startRemoteExecutor } from './start-remote-executor.js';

test('registers at once and says with every beat that it is alive', async () => {
  const { center, clock, executor } = await remoteExecutor({ work: () => {} }, { group: 'app', beatMs: 20_000 });
  const registrations = () => center.bodies('/api/registry');
  await vi.waitFor(() => expect(registrations()).toHaveLength(1));
  expect(registrations()[0]).toEqual({
    registryGroup: 'EXECUTOR',
    registryKey: 'app',
    registryValue: executor.address,
    horae: { instanceId: expect.stringMatching(/^[0-9a-f-]{36}$/), handlers: ['work'] },
  });
  expect(executor).toMatchObject({ group: 'app', address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  await clock.advanceBy(19_999);
  expect(registrations()).toHaveLength(1);
  await clock.advanceBy(1);
  await vi.waitFor(() => expect(registrations()).toHaveLength(2));
  expect(registrations()[1]).toEqual(registrations()[0]);
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
  const { run, results } = await remoteExecutor(
    { work: () => 'fine' },
    { ring: [down.url, `${up.url}/xxl-job-admin/`] },
  );
  await vi.waitFor(() => expect(up.bodies('/xxl-job-admin/api/registry')).toHaveLength(1));
  void results;
  await run(1);
  await vi.waitFor(() => expect(up.bodies('/api/callback')).toHaveLength(1));
  expect(down.calls.map(({ path }) => path)).toEqual(['/api/registry']);
});

test.each(['{}', '', '"beat"', 'no JSON', '[1]'])('beat is answered whatever its body: %j', async (body) => {
  const { executor } = await remoteExecutor({});
  const answer = await rawRequest(executor.address, { method: 'POST', path: '/beat', body });
  expect(JSON.parse(answer.text)).toEqual({ code: 200, msg: null });
});

test('results wait for the scheduler: the wait doubles up to 30 s, and they go together', async () => {
  const { run, center, clock } = await remoteExecutor(
    { work: () => 'fine' },
    { callbackRetryMs: 1_000, beatMs: 10_000_000 },
  );
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

test('a wrong token is HTTP 200 and code 500 on every call; the right one is sent with its own calls', async () => {
  const started: number[] = [];
  const { executor, center, call } = await remoteExecutor(
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
  const { executor, call } = await remoteExecutor({}, { maxBodyBytes: 500 });
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
  const { executor } = await remoteExecutor({ work: () => {} });
  const answer = await postJson(
    executor.address,
    '/run',
    { jobId: 1, logId: 1, executorHandler: 'work' },
    { origin: 'https://evil.example', 'content-type': 'text/plain' },
  );
  expect(answer.body).toMatchObject({ code: 500, msg: expect.stringMatching(/web pages/) });
});

test('an address with a path is registered as it is, and calls come below it or without it', async () => {
  const { executor, center } = await remoteExecutor({}, { address: 'http://proxy.example:8080/jobs/' });
  expect(executor.address).toBe('http://proxy.example:8080/jobs/');
  await vi.waitFor(() =>
    expect(center.bodies('/api/registry')).toMatchObject([{ registryValue: 'http://proxy.example:8080/jobs/' }]),
  );
});

test('stop leaves the registry, aborts what runs, delivers every result, and closes the port; twice is fine', async () => {
  const { handler, contexts } = longHandler();
  const { executor, center, run } = await remoteExecutor({ work: handler });
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
  const { executor, center, run, clock } = await remoteExecutor({ work: handler });
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

test('without a token it is called under loopback names only', async () => {
  const { call } = await remoteExecutor({});
  expect((await call('/beat', {}, { host: 'worker.example' })).code).toBe(500);
  expect((await call('/beat', {}, { host: 'localhost:80' })).code).toBe(200);
});
