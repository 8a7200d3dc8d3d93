import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemClock } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loopbackServer, reply } from '../../test/support/loopback-server.js';
import type { Assignment } from '../workbench/assignment.js';
import { createRemoteCalls } from './create-remote-calls.js';

const assignment: Assignment = {
  runId: 42,
  fireId: 40,
  jobId: 7,
  handler: 'report',
  params: null,
  scheduleTime: null,
  triggerType: 'manual',
  shardIndex: 0,
  shardTotal: 1,
  attempt: 1,
  isLastAttempt: true,
  jobKey: 'key',
  jobName: 'name',
  block: 'SERIAL',
  concurrency: 1,
  timeoutMs: null,
};

function remoteCalls(options: Parameters<typeof createRemoteCalls>[0] = {}, clock = systemClock()) {
  const calls = createRemoteCalls(options, clock);
  onTestFinished(() => calls.close());
  return calls;
}

async function refusedAddress(): Promise<string> {
  const server = await loopbackServer(() => {});
  await server.close();
  return server.url;
}

test('every call is a POST of JSON with the token, below the address without its slashes', async () => {
  const server = await loopbackServer((_call, response) => reply(response, { code: 200, msg: null }));
  const calls = remoteCalls({ accessToken: 'secret' });
  expect(await calls.beat(`${server.url}/job//`)).toBe(true);
  expect(await calls.idleBeat(server.url, 7)).toBe(true);
  expect(await calls.run(server.url, assignment, 5)).toEqual({ ok: true });
  expect(await calls.kill(server.url, { jobId: 7, runId: 42 })).toEqual({ ok: true });
  expect(await calls.log(server.url, { runId: 42, firedAt: 5, fromLine: 3 })).toBeNull();
  expect(server.calls.map(({ path }) => path)).toEqual(['/job/beat', '/idleBeat', '/run', '/kill', '/log']);
  expect(server.calls.map(({ text }) => JSON.parse(text))).toMatchObject([
    {},
    { jobId: 7 },
    { logId: 42, executorParams: '' },
    { jobId: 7, logId: 42 },
    { logId: 42, logDateTim: 5, fromLineNum: 4 },
  ]);
  for (const { headers } of server.calls) {
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'xxl-job-access-token': 'secret' });
  }
});

test('the header of the token may be another', async () => {
  const server = await loopbackServer((_call, response) => reply(response, { code: 200 }));
  await remoteCalls({ accessToken: 'secret', tokenHeader: 'ORTH-ACCESS-TOKEN' }).beat(server.url);
  expect(server.calls[0]!.headers['orth-access-token']).toBe('secret');
  expect(server.calls[0]!.headers['xxl-job-access-token']).toBeUndefined();
});

test('connections are kept', async () => {
  const ports = new Set<number | undefined>();
  const server = await loopbackServer((_call, response) => {
    ports.add(response.socket?.remotePort);
    reply(response, { code: 200 });
  });
  const calls = remoteCalls();
  for (let time = 0; time < 5; time++) await calls.beat(server.url);
  expect(ports.size).toBe(1);
});

test('a yes is a yes whatever its content type', async () => {
  const server = await loopbackServer((_call, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('{"code":200,"content":{"logContent":"a\\nb\\n"}}'),
  );
  const calls = remoteCalls();
  expect(await calls.run(server.url, assignment, 0)).toEqual({ ok: true });
  expect(await calls.log(server.url, { runId: 1, firedAt: 0, fromLine: 0 })).toEqual({
    lines: ['a', 'b'],
    hasMore: false,
  });
});

test.each([
  {
    story: 'another code',
    status: 200,
    body: '{"code":500,"msg":"no handler"}',
    says: /answered code 500: no handler/,
  },
  { story: 'another status', status: 503, body: '{"code":200}', says: /answered HTTP 503/ },
  { story: 'a redirect', status: 302, body: '{"code":200}', says: /answered HTTP 302/ },
  { story: 'no JSON', status: 200, body: '<h1>Hello</h1>', says: /no JSON/ },
  { story: 'nothing', status: 200, body: '', says: /empty/ },
  { story: 'JSON without a code', status: 200, body: '[]', says: /no code/ },
])('an answer with $story fails the run, says so, and does not count as a fault', async ({ status, body, says }) => {
  const server = await loopbackServer((_call, response) => response.writeHead(status).end(body));
  const calls = remoteCalls();
  for (let time = 0; time < 5; time++) {
    expect(await calls.run(server.url, assignment, 0)).toEqual({ ok: false, message: expect.stringMatching(says) });
  }
  expect(await calls.beat(server.url)).toBe(false);
  expect(calls.breaker(server.url)).toBe('closed');
  expect(server.calls).toHaveLength(6);
});

test('an endless answer is given up', async () => {
  const server = await loopbackServer((_call, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  expect(await remoteCalls().run(server.url, assignment, 0)).toMatchObject({
    message: expect.stringMatching(/larger than/),
  });
});

test.each([
  { story: 'reset', answer: (socket: import('node:net').Socket) => socket.resetAndDestroy(), says: /reset/ },
  {
    story: 'closed without an answer',
    answer: (socket: import('node:net').Socket) => socket.end(),
    says: /reset|no connection/,
  },
  {
    story: 'answered with no HTTP at all',
    answer: (socket: import('node:net').Socket) => socket.end('SSH-2.0\r\n'),
    says: /HPE/,
  },
  {
    story: 'broken off in the middle of the answer',
    answer: (socket: import('node:net').Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"code"'),
    says: /broke off/,
  },
])('a connection that is $story is a fault, and three of them open the breaker', async ({ answer, says }) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as import('node:net').AddressInfo).port}`;
  const calls = remoteCalls();
  for (let time = 0; time < 3; time++) {
    expect(await calls.run(address, assignment, 0)).toEqual({ ok: false, message: expect.stringMatching(says) });
  }
  expect(calls.breaker(address)).toBe('open');
});

test('no answer within callTimeoutMs of the clock is a fault that says how long it was waited', async () => {
  const clock = createManualClock({ now: 0 });
  const server = await loopbackServer(() => {});
  const calls = remoteCalls({ callTimeoutMs: 3_000 }, clock);
  const answer = calls.run(server.url, assignment, 0);
  await vi.waitFor(() => expect(server.calls).toHaveLength(1));
  await clock.advanceBy(2_999);
  expect(clock.sleepers).toBe(1);
  await clock.advanceBy(1);
  expect(await answer).toEqual({ ok: false, message: expect.stringMatching(/\/run: no answer within 3000 ms/) });
  expect(clock.sleepers).toBe(0);
});

test('an open breaker makes no connection; after openMs one call tries, and its success closes it', async () => {
  const clock = createManualClock({ now: 0 });
  let isUp = false;
  const server = await loopbackServer((_call, response) =>
    isUp ? reply(response, { code: 200 }) : response.destroy(),
  );
  const calls = remoteCalls({ breaker: { failures: 2, openMs: 5_000 } }, clock);
  for (let time = 0; time < 2; time++) expect(await calls.beat(server.url)).toBe(false);
  expect(calls.breaker(server.url)).toBe('open');
  isUp = true;
  expect(await calls.run(server.url, assignment, 0)).toEqual({
    ok: false,
    message: expect.stringMatching(/not called/),
    waitFor: 'breaker',
  });
  expect(await calls.idleBeat(server.url, 1)).toBe(false);
  expect(server.calls).toHaveLength(2);
  await clock.advanceBy(5_000);
  expect(calls.breaker(server.url)).toBe('half-open');
  const answers = await Promise.all([calls.beat(server.url), calls.beat(server.url), calls.beat(server.url)]);
  expect(answers).toEqual([true, false, false]);
  expect(server.calls).toHaveLength(3);
  expect(calls.breaker(server.url)).toBe('closed');
});

test('four hundred runs for a hanging executor are soon over: what waits behind the first faults is not called', async () => {
  const clock = createManualClock({ now: 0 });
  const server = await loopbackServer(() => {});
  const calls = remoteCalls({}, clock);
  const answers = Promise.all(Array.from({ length: 400 }, () => calls.run(server.url, assignment, 0)));
  await vi.waitFor(() => expect(server.calls).toHaveLength(256));
  // Two that waited still go out, in the place of the first two faults; the third fault opens the breaker.
  await clock.advanceBy(3_000);
  await vi.waitFor(() => expect(server.calls).toHaveLength(258));
  await clock.advanceBy(3_000);
  const all = await answers;
  expect(all.filter((answer) => !answer.ok && answer.message.includes('no answer within'))).toHaveLength(258);
  expect(all.filter((answer) => !answer.ok && answer.message.includes('not called'))).toHaveLength(142);
});

test('nobody at an address is a fault like any other, and an address that is no URL is told without one', async () => {
  const address = await refusedAddress();
  const calls = remoteCalls();
  expect(await calls.run(address, assignment, 0)).toMatchObject({ message: expect.stringMatching(/ECONNREFUSED/) });
  expect(await calls.log(address, { runId: 1, firedAt: 0, fromLine: 0 })).toBeNull();
  expect(await calls.run('local:1', assignment, 0)).toMatchObject({ message: expect.stringMatching(/no http URL/) });
  expect(await calls.run('no url', assignment, 0)).toMatchObject({ message: expect.stringMatching(/no http URL/) });
});

test('a process that stalls for longer than the time limit reads what has arrived meanwhile before it gives a call up', async () => {
  // The server is in a process of its own: it answers while this one stands still.
  const server = await childServer();
  const calls = remoteCalls({ callTimeoutMs: 200 });
  expect(await calls.beat(server)).toBe(true);
  const answers = Array.from({ length: 20 }, () => calls.run(server, assignment, 5));
  await new Promise((resolve) => setTimeout(resolve, 20));
  // After an immediate the timers come first, then the sockets.
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + 600;
  while (performance.now() < until);
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ ok: true })));
  expect(calls.breaker(server)).toBe('closed');
});

/** Answers every call with yes after 100 ms. */
async function childServer(): Promise<string> {
  const program = `
    const server = require('node:http').createServer((request, response) => {
      request.resume().on('end', () => setTimeout(() => response.end('{"code":200}'), 100));
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(child, 'message');
  return `http://127.0.0.1:${port}`;
}
