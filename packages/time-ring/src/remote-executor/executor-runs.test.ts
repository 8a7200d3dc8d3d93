import { expect, test, vi } from 'vitest';
import { longHandler, remoteExecutor } from '../../test/support/remote-executor-stage.js';
import type { RunContext } from '../model/handler.js';

test('runs a handler and calls its result back, with all that the run is about', async () => {
  const contexts: RunContext[] = [];
  const { run, results } = await remoteExecutor({
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
    {
      ...{ logId: 9, logDateTim: Date.parse('2026-01-01T00:00:00Z'), handleCode: 200, handleMsg: 'done' },
      horae: { result: 'done' },
    },
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
  const { run, results, clock } = await remoteExecutor({
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
  const { run, results, center, clock } = await remoteExecutor({ work: handler });
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
  {
    story: 'an unknown handler',
    more: { executorHandler: 'nobody' },
    says: /No handler named "nobody"/,
    horae: { waitFor: 'handler' },
  },
  {
    story: 'a handler named like a property of every object',
    more: { executorHandler: 'constructor' },
    says: /No handler named/,
    horae: { waitFor: 'handler' },
  },
  { story: 'a script', more: { glueType: 'GLUE_SHELL', glueSource: 'touch /tmp/owned' }, says: /glueType GLUE_SHELL/ },
  { story: 'a broken logId', more: { logId: 'x' }, says: /logId/ },
])('a run with $story is refused with code 500', async ({ more, says, horae }) => {
  const { run } = await remoteExecutor({ work: () => {} });
  const answer = { code: 500, msg: expect.stringMatching(says) };
  expect(await run(1, more)).toEqual(horae === undefined ? answer : { ...answer, horae });
});

test('idleBeat says whether a run of the job is here', async () => {
  const { handler, contexts } = longHandler();
  const { run, call } = await remoteExecutor({ work: handler });
  expect((await call('/idleBeat', { jobId: 1 })).code).toBe(200);
  await run(1);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  expect((await call('/idleBeat', { jobId: 1 })).code).toBe(500);
  expect((await call('/idleBeat', { jobId: 2 })).code).toBe(200);
});

test('block strategies hold behind HTTP: SERIAL waits, DISCARD is refused, COVER kills the old run', async () => {
  const { handler, contexts, ends } = longHandler();
  const { run, results } = await remoteExecutor({ work: handler });
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
  const { run } = await remoteExecutor({ work: handler });
  for (const logId of [1, 2, 3]) await run(logId, { executorBlockStrategy: 'CONCURRENT', executorConcurrency: 2 });
  await vi.waitFor(() => expect(contexts.map(({ runId }) => runId)).toEqual([1, 2]));
  ends[1]!();
  await vi.waitFor(() => expect(contexts.map(({ runId }) => runId)).toEqual([1, 2, 3]));
});

test('more waiting runs of a job than queueLimit are refused', async () => {
  const { handler } = longHandler();
  const { run } = await remoteExecutor({ work: handler }, { queueLimit: 1 });
  const codes: number[] = [];
  for (const logId of [1, 2, 3]) codes.push((await run(logId)).code);
  expect(codes).toEqual([200, 200, 500]);
});

test('kill with a logId ends that run alone; without, all of the job, queued ones included', async () => {
  const { handler, contexts } = longHandler();
  const { run, call, results } = await remoteExecutor({ work: handler });
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
  const { run, call, center, clock, results } = await remoteExecutor({ work: () => 'fine' });
  center.answers.callback = false;
  await run(1);
  await vi.waitFor(() => expect(center.bodies('/api/callback')).toHaveLength(1));
  expect(await call('/kill', { jobId: 1, logId: 1 })).toMatchObject({ code: 500, msg: expect.stringMatching(/over/) });
  center.answers.callback = true;
  await clock.advanceBy(1_000);
  expect((await results(2)).at(-1)).toMatchObject({ logId: 1, handleCode: 200 });
});
