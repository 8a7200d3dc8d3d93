import { expect, test } from 'vitest';
import { blockStrategies } from '../model/job.js';
import type { Assignment } from '../workbench/assignment.js';
import { blockOfWireName, blockWireName } from './block-names.js';
import { callbackItem, parseCallback } from './callback-message.js';
import { callUrl } from './dialect.js';
import { parseJobMessage } from './job-message.js';
import { logMessage, logPayload, parseLogMessage, parseLogPayload } from './log-message.js';
import { isHttpUrl, parseRegistryMessage } from './registry-message.js';
import { parseReply, replyText } from './reply.js';
import { paramsText, parseRunMessage, runMessage } from './run-message.js';

const assignment: Assignment = {
  runId: 42,
  fireId: 40,
  jobId: 7,
  handler: 'report',
  params: { day: 'monday' },
  scheduleTime: 1_700_000_000_000,
  triggerType: 'retry',
  shardIndex: 1,
  shardTotal: 3,
  attempt: 2,
  isLastAttempt: true,
  jobKey: 'nightly',
  jobName: 'report',
  block: 'COVER',
  concurrency: 4,
  timeoutMs: 1_500,
};

test('a run is sent with XXL-JOB’s fields, and with ours besides', () => {
  expect(runMessage(assignment, 1_700_000_000_123)).toEqual({
    jobId: 7,
    executorHandler: 'report',
    executorParams: '{"day":"monday"}',
    executorBlockStrategy: 'COVER_EARLY',
    executorTimeout: 2,
    logId: 42,
    logDateTime: 1_700_000_000_123,
    glueType: 'BEAN',
    glueSource: '',
    glueUpdatetime: expect.any(Number),
    broadcastIndex: 1,
    broadcastTotal: 3,
    executorConcurrency: 4,
    scheduleTime: 1_700_000_000_000,
    horae: {
      ...{ fireId: 40, attempt: 2, triggerType: 'retry', params: { day: 'monday' } },
      ...{ isLastAttempt: true, job: { key: 'nightly', name: 'report' } },
    },
  });
});

test('a run that we sent is read back whole; its time limit is in whole seconds, rounded up', () => {
  const sent = JSON.parse(JSON.stringify(runMessage(assignment, 5)));
  expect(parseRunMessage(sent, 9)).toEqual({ assignment: { ...assignment, timeoutMs: 2_000 }, logDateTime: 5 });
});

test.each([undefined, null, '', 'bean', 'GLUE_SHELL'])('a run with the glueType %j is refused', (glueType) => {
  expect(parseRunMessage({ jobId: 1, logId: 2, executorHandler: 'h', glueType }, 77)).toMatch(/glueType .* is refused/);
});

test('a run of another scheduler has its text as parameters, its logId as fire, and is a first, scheduled attempt', () => {
  const order = parseRunMessage(
    { jobId: 1, logId: 2, executorHandler: 'h', executorParams: '{"a":1}', glueType: 'BEAN', unknown: true },
    77,
  );
  expect(order).toEqual({
    logDateTime: 77,
    assignment: {
      runId: 2,
      fireId: 2,
      jobId: 1,
      handler: 'h',
      params: '{"a":1}',
      scheduleTime: null,
      triggerType: 'schedule',
      shardIndex: 0,
      shardTotal: 1,
      attempt: 1,
      isLastAttempt: false,
      jobKey: null,
      jobName: '',
      block: 'SERIAL',
      concurrency: 64,
      timeoutMs: null,
    },
  });
});

test.each([
  { story: 'no logId', body: { jobId: 1 }, says: /logId/ },
  { story: 'a text as jobId', body: { jobId: '1', logId: 2 }, says: /jobId/ },
  {
    story: 'a shell script',
    body: { jobId: 1, logId: 2, glueType: 'GLUE_SHELL', glueSource: 'rm -rf /' },
    says: /glueType GLUE_SHELL/,
  },
  { story: 'a Groovy script', body: { jobId: 1, logId: 2, glueType: 'GLUE_GROOVY' }, says: /no code travels/ },
  { story: 'an array', body: [], says: /body/ },
  { story: 'a time that no calendar shows', body: { jobId: 1, logId: 2, logDateTime: 9e15 }, says: /logDateTime/ },
])('a run with $story is refused', ({ body, says }) => {
  expect(parseRunMessage(body, 0)).toMatch(says);
});

test.each([
  { params: null, text: '' },
  { params: undefined, text: '' },
  { params: 'as it is', text: 'as it is' },
  { params: '', text: '' },
  { params: 5, text: '5' },
  { params: ['a'], text: '["a"]' },
  { params: false, text: 'false' },
])('parameters $params travel as the text "$text"', ({ params, text }) => {
  expect(paramsText(params)).toBe(text);
});

test('block strategies have XXL-JOB’s names on the wire', () => {
  expect(blockStrategies.map(blockWireName)).toEqual([
    'SERIAL_EXECUTION',
    'DISCARD_LATER',
    'COVER_EARLY',
    'CONCURRENT',
  ]);
  for (const strategy of blockStrategies) expect(blockOfWireName(blockWireName(strategy))).toBe(strategy);
  expect(blockOfWireName('SERIAL')).toBeUndefined();
});

test.each([
  { text: '{"code":200,"msg":null}', reply: { code: 200, msg: null, payload: undefined } },
  { text: '{"code":200,"content":{"a":1}}', reply: { code: 200, msg: null, payload: { a: 1 } } },
  { text: '{"code":200,"data":{"a":1},"success":true}', reply: { code: 200, msg: null, payload: { a: 1 } } },
  { text: ' {"code":500,"msg":"busy"}\n', reply: { code: 500, msg: 'busy', payload: undefined } },
  { text: '', reply: 'the answer is empty' },
  { text: '<html>', reply: 'the answer is no JSON: "<html>"' },
  { text: '"ok"', reply: 'the answer has no code: "\\"ok\\""' },
  { text: '{"code":"200"}', reply: expect.stringMatching(/no code/) },
  { text: 'null', reply: expect.stringMatching(/no code/) },
])('the answer $text is read', ({ text, reply }) => {
  expect(parseReply(text)).toEqual(reply);
});

test('a payload goes where the dialect has it', () => {
  const reply = { code: 200, msg: null, payload: 1 };
  expect(JSON.parse(replyText(reply, 'content'))).toEqual({ code: 200, msg: null, content: 1 });
  expect(JSON.parse(replyText(reply, 'data'))).toEqual({ code: 200, msg: null, data: 1 });
});

test('lines of a log count from 0 here and from 1 on the wire, and the missing letter is real', () => {
  expect(logMessage({ runId: 3, firedAt: 9, fromLine: 0 })).toEqual({ logDateTim: 9, logId: 3, fromLineNum: 1 });
  expect(parseLogMessage({ logId: 3, logDateTim: 9, fromLineNum: 0 })).toEqual({
    runId: 3,
    logDateTime: 9,
    fromLineNum: 1,
  });
});

test.each([
  {
    story: 'our own',
    payload: logPayload({ fromLineNum: 1, toLineNum: 2, lines: ['a', 'b'], isEnd: true }),
    lines: ['a', 'b'],
  },
  { story: 'one with an empty line', payload: { fromLineNum: 1, toLineNum: 2, logContent: '\nb\n' }, lines: ['', 'b'] },
  {
    story: 'one with a line feed in front',
    payload: { fromLineNum: 1, toLineNum: 2, logContent: '\na\nb' },
    lines: ['a', 'b'],
  },
  {
    story: 'one without a line feed at the end',
    payload: { fromLineNum: 1, toLineNum: 1, logContent: 'a' },
    lines: ['a'],
  },
  { story: 'one from Windows', payload: { logContent: 'a\r\nb\r\n' }, lines: ['a', 'b'] },
  { story: 'one beyond the end', payload: { fromLineNum: 9, toLineNum: 2, logContent: '' }, lines: [] },
])('the lines of a log reply are found in $story', ({ payload, lines }) => {
  expect(parseLogPayload(payload)).toEqual({ lines, hasMore: false });
});

test('a log reply may say that there is more, and one without a log is none', () => {
  const page = { fromLineNum: 1, toLineNum: 1, logContent: 'a\n', isEnd: false };
  expect(parseLogPayload(page)).toEqual({ lines: ['a'], hasMore: true });
  // Executors of others always say so, also beyond the end.
  expect(parseLogPayload({ ...page, logContent: '' })).toEqual({ lines: [], hasMore: false });
  expect(parseLogPayload(undefined)).toBeNull();
  expect(parseLogPayload('text')).toBeNull();
});

test('a kill may name a run or only a job', () => {
  expect(parseJobMessage({ jobId: 1, logId: 2 })).toEqual({ jobId: 1, runId: 2 });
  expect(parseJobMessage({ jobId: 1 })).toEqual({ jobId: 1, runId: null });
  expect(parseJobMessage({ jobId: 'x' })).toMatch(/jobId/);
});

const registration = { registryGroup: 'EXECUTOR', registryKey: 'app', registryValue: 'http://10.0.0.1:9999/' };

test('a registration gives the group and the address as they are', () => {
  expect(parseRegistryMessage({ ...registration, more: 1 })).toEqual({
    group: 'app',
    address: 'http://10.0.0.1:9999/',
  });
});

test.each([
  { story: 'another group', body: { registryGroup: 'ADMIN' }, says: /registryGroup/ },
  { story: 'an empty key', body: { registryKey: '' }, says: /registryKey/ },
  { story: 'a key of spaces', body: { registryKey: '  ' }, says: /registryKey/ },
  { story: 'a key over 255 characters', body: { registryKey: 'k'.repeat(256) }, says: /registryKey/ },
  { story: 'a key with a line feed', body: { registryKey: 'a\nb' }, says: /registryKey/ },
  {
    story: 'a value over 255 characters',
    body: { registryValue: `http://h/${'v'.repeat(255)}` },
    says: /registryValue/,
  },
  { story: 'a value that is no URL', body: { registryValue: 'localhost:99' }, says: /registryValue/ },
  { story: 'a value of another protocol', body: { registryValue: 'file:///etc/passwd' }, says: /registryValue/ },
  { story: 'a number as value', body: { registryValue: 5 }, says: /registryValue/ },
])('a registration with $story is refused', ({ body, says }) => {
  expect(parseRegistryMessage({ ...registration, ...body })).toMatch(says);
});

test('a key and a value of 255 characters are taken', () => {
  const value = `http://h/${'v'.repeat(246)}`;
  expect(value).toHaveLength(255);
  expect(parseRegistryMessage({ ...registration, registryKey: 'k'.repeat(255), registryValue: value })).toMatchObject({
    address: value,
  });
});

test.each([
  ['http://h', true],
  ['HTTPS://h:1/a/b/', true],
  ['http://', false],
  ['http:/h', false],
  [' http://h', false],
  ['http://h\n', false],
  ['javascript:alert(1)', false],
])('%j is an address: %s', (text, isOne) => {
  expect(isHttpUrl(text)).toBe(isOne);
});

test.each([
  { address: 'http://h:1', url: 'http://h:1/run' },
  { address: 'http://h:1/', url: 'http://h:1/run' },
  { address: 'http://h:1///', url: 'http://h:1/run' },
  { address: 'http://h:1/job', url: 'http://h:1/job/run' },
  { address: 'http://h:1/job//', url: 'http://h:1/job/run' },
  { address: 'http://h:1/job?zone=a#x', url: 'http://h:1/job/run?zone=a' },
])('a call to $address goes to $url', ({ address, url }) => {
  expect(callUrl(address, '/run').href).toBe(url);
});

test('results are taken one by one: a broken one does not take the others with it', () => {
  const callback = parseCallback([
    { logId: 1, logDateTim: 0, handleCode: 200, handleMsg: 'fine' },
    { logId: 'x', handleCode: 200 },
    { logId: 2, handleCode: 502, handleMsg: 'late' },
    { logId: 3, handleCode: 777, handleMsg: null, horae: { state: 'nonsense' } },
    { logId: 4, handleCode: 500, horae: { state: 'killed' } },
    { logId: 5, handleCode: 500, handleMsg: 'm'.repeat(15_001) },
  ]);
  expect(callback.results).toEqual([
    { runId: 1, state: 'succeeded', code: 200, message: 'fine' },
    { runId: 2, state: 'failed', code: 502, message: 'late' },
    { runId: 3, state: 'failed', code: 777, message: null },
    { runId: 4, state: 'killed', code: 500, message: null },
    { runId: 5, state: 'failed', code: 500, message: 'm'.repeat(15_000) },
  ]);
  expect(callback.problem).toMatch(/item 1: logId/);
});

test.each([[{}], ['x'], [null], [5]])('a callback %j is no array', (body) => {
  expect(parseCallback(body)).toEqual({ results: [], problem: expect.stringMatching(/array/) });
});

test('a killed run is a failure to others, and killed to us', () => {
  const item = callbackItem(8, 9, { state: 'killed', code: 500, message: 'Covered by run 10' });
  expect(item).toEqual({
    logId: 8,
    logDateTim: 9,
    handleCode: 500,
    handleMsg: 'Covered by run 10',
    horae: { state: 'killed' },
  });
  expect(parseCallback([item]).results).toEqual([
    { runId: 8, state: 'killed', code: 500, message: 'Covered by run 10' },
  ]);
});
