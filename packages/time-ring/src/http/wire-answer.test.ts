import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { postJson } from '../../test/support/raw-request.js';
import { silentLogger } from '../model/logger.js';
import { accepted } from '../wire/reply.js';
import { createTokenCheck } from './access-token.js';
import { resolveListenOptions } from './http-options.js';
import { answerWireCall } from './wire-answer.js';

test('without a token a server behind a proxy is called under the name of its public URL too', async () => {
  const around = {
    options: resolveListenOptions({}, ''),
    isToken: createTokenCheck(undefined),
    onRefusedToken: () => {},
    publicHost: 'worker.example',
    log: silentLogger,
  };
  const server = createServer((request, response) =>
    answerWireCall(request, response, { answer: () => accepted() }, around),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const codeUnder = async (host: string) => (await postJson(url, '/beat', {}, { host })).body.code;
  expect(await codeUnder('Worker.example:8080')).toBe(200);
  expect(await codeUnder('evil.worker.example')).toBe(500);
});
