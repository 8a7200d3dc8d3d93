import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { postJson, rawRequest } from '../../test/support/raw-request.js';
import { listenToEvents, registration, ringServer } from '../../test/support/ring-server-stage.js';

test('says where it listens: a free port on loopback, no slash at the end', async () => {
  const { listening } = await ringServer();
  expect(listening.host).toBe('127.0.0.1');
  expect(listening.url).toBe(`http://127.0.0.1:${listening.port}`);
});

test.each([
  { story: 'a host that others reach, without a token', options: { host: '0.0.0.0' }, field: 'http.host' },
  { story: 'the same in IPv6', options: { host: '::' }, field: 'http.host' },
  { story: 'an empty token on such a host', options: { host: '0.0.0.0', accessToken: '' }, field: 'http.host' },
  { story: 'a port that is none', options: { port: 70_000 }, field: 'http.port' },
  { story: 'a header that is none', options: { tokenHeader: 'a b' }, field: 'http.tokenHeader' },
  { story: 'a token that fits into no header', options: { accessToken: 'a\nb' }, field: 'http.accessToken' },
  { story: 'another payload field', options: { payloadField: 'body' as never }, field: 'http.payloadField' },
  { story: 'a body limit of zero', options: { maxBodyBytes: 0 }, field: 'http.maxBodyBytes' },
])('$story is a bad-option', async ({ options, field }) => {
  await expect(ringServer(options)).rejects.toMatchObject({ code: 'bad-option', details: { field } });
});

test('a port that is taken is a bad-option', async () => {
  const { listening } = await ringServer();
  await expect(ringServer({ port: listening.port })).rejects.toMatchObject({ code: 'bad-option' });
});

test.each(['', '/xxl-job-admin'])('executors register, leave and call back below "%s"', async (prefix) => {
  const { url, executors, results } = await ringServer();
  expect((await postJson(url, `${prefix}/api/registry`, registration)).body).toEqual({ code: 200, msg: null });
  expect([...executors.values()]).toMatchObject([{ group: 'app', address: 'http://10.0.0.1:9999/' }]);
  const item = { logId: 1, logDateTim: 0, handleCode: 200, handleMsg: 'ok' };
  expect((await postJson(url, `${prefix}/api/callback`, [item])).body).toEqual({ code: 200, msg: null });
  expect(results).toEqual([{ runId: 1, state: 'succeeded', code: 200, message: 'ok' }]);
  expect((await postJson(url, `${prefix}/api/registryRemove`, registration)).body).toMatchObject({ code: 200 });
  expect(executors.size).toBe(0);
});

test('the good items of a callback are recorded before the broken one is told', async () => {
  const { url, results } = await ringServer();
  const { status, body } = await postJson(url, '/api/callback', [
    { logId: 1, handleCode: 200 },
    { logId: 'x' },
    { logId: 2, handleCode: 500 },
  ]);
  expect({ status, body }).toMatchObject({ status: 200, body: { code: 500, msg: expect.stringMatching(/item 1/) } });
  expect(results.map(({ runId }) => runId)).toEqual([1, 2]);
});

test('an empty callback is fine, and what is no array is refused', async () => {
  const { url, port } = await ringServer();
  expect((await postJson(url, '/api/callback', [])).body.code).toBe(200);
  expect((await postJson(url, '/api/callback', {})).body.code).toBe(500);
  expect(port.results).not.toHaveBeenCalled();
});

test('a result that could not be recorded is refused, so that it comes again, and the reason stays here', async () => {
  const { url, port } = await ringServer();
  port.results.mockRejectedValueOnce(new Error('password=hunter2 at /srv/db.js:1'));
  const { status, text, body } = await postJson(url, '/api/callback', [{ logId: 1, handleCode: 200 }]);
  expect({ status, code: body.code }).toEqual({ status: 200, code: 500 });
  expect(text).not.toContain('hunter2');
});

test('more executors than the ring takes are refused', async () => {
  const { url } = await ringServer();
  const codes: number[] = [];
  for (const port of [1, 2, 3, 4]) {
    codes.push(
      (await postJson(url, '/api/registry', { ...registration, registryValue: `http://h:${port}` })).body.code,
    );
  }
  expect(codes).toEqual([200, 200, 200, 500]);
});

test.each([
  { story: 'malformed JSON', request: { method: 'POST', path: '/api/registry', body: '{' }, status: 400 },
  { story: 'no body', request: { method: 'POST', path: '/api/callback' }, status: 400 },
  {
    story: 'a body over the limit',
    request: { method: 'POST', path: '/api/callback', body: 'x'.repeat(2_000) },
    status: 413,
  },
  {
    story: 'a chunked body over the limit',
    request: {
      method: 'POST',
      path: '/api/callback',
      body: 'x'.repeat(2_000),
      headers: { 'transfer-encoding': 'chunked' },
    },
    status: 413,
  },
  { story: 'GET', request: { path: '/api/registry' }, status: 405 },
  { story: 'an unknown path', request: { method: 'POST', path: '/api/nothing', body: '{}' }, status: 404 },
  { story: 'another prefix', request: { method: 'POST', path: '/other/api/registry', body: '{}' }, status: 404 },
  { story: 'a doubled slash', request: { method: 'POST', path: '//api/registry', body: '{}' }, status: 404 },
  { story: 'a path that climbs', request: { method: 'POST', path: '/x/../api/registry', body: '{}' }, status: 404 },
  { story: 'a whole URL as path', request: { method: 'POST', path: 'http://h/api/registry', body: '{}' }, status: 404 },
])('for executors, $story is HTTP $status', async ({ request: options, status }) => {
  const { url } = await ringServer({ maxBodyBytes: 1_000 });
  const answer = await rawRequest(url, options);
  expect(answer.status).toBe(status);
  if (status === 405) expect(answer.headers.allow).toBe('POST');
  expect((await postJson(url, '/api/registry', registration)).status).toBe(200);
});

test('with a token, executors need it in the header, whatever its case; else HTTP 200 and code 500', async () => {
  const { url, executors } = await ringServer({ accessToken: 'secret' });
  for (const headers of [
    {},
    { 'XXL-JOB-ACCESS-TOKEN': 'wrong' },
    { 'XXL-JOB-ACCESS-TOKEN': 'secret2' },
    { authorization: 'Bearer secret' },
  ]) {
    const { status, body } = await postJson(url, '/api/registry', registration, headers);
    expect({ status, code: body.code }).toEqual({ status: 200, code: 500 });
  }
  expect(executors.size).toBe(0);
  expect((await postJson(url, '/api/registry', registration, { 'xxl-job-access-token': 'secret' })).body.code).toBe(
    200,
  );
});

test('the token header may be another, and the payload field is as wanted', async () => {
  const { url } = await ringServer({ accessToken: 'secret', tokenHeader: 'ORTH-ACCESS-TOKEN' });
  expect((await postJson(url, '/api/registry', registration, { 'XXL-JOB-ACCESS-TOKEN': 'secret' })).body.code).toBe(
    500,
  );
  expect((await postJson(url, '/api/registry', registration, { 'ORTH-ACCESS-TOKEN': 'secret' })).body.code).toBe(200);
});

test('without a token, a web page of another place is refused', async () => {
  const { url, executors } = await ringServer();
  const answer = await postJson(url, '/api/registry', registration, {
    origin: 'http://evil.example',
    'content-type': 'text/plain',
  });
  expect(answer.body.code).toBe(500);
  expect(executors.size).toBe(0);
  expect((await postJson(url, '/api/registry', registration, { origin: 'http://localhost:3000' })).body.code).toBe(200);
});

test('closing ends streams and half-sent requests, and twice is fine', async () => {
  const { url, listening } = await ringServer();
  const { stream } = await listenToEvents(url);
  const ended = new Promise((resolve) => stream.once('close', resolve));
  const half = connect(listening.port, '127.0.0.1');
  half.on('error', () => {});
  half.write(
    'POST /admin/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  const idle = rawRequest(url, { path: '/admin/health', headers: { connection: 'keep-alive' } });
  await idle;
  await Promise.all([listening.close(), listening.close()]);
  await ended;
  await expect(rawRequest(url, { path: '/admin/health' })).rejects.toThrow();
});
