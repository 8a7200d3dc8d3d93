import type { ServerResponse } from 'node:http';
import { loopbackServer, type ReceivedCall, reply } from './loopback-server.js';
import { postJson } from './raw-request.js';

/** A `/run` that an unruly executor got. */
export interface ReceivedRun {
  readonly jobId: number;
  readonly logId: number;
  readonly logDateTime: number;
  readonly executorTimeout: number;
}

/** An executor that speaks the protocol and does with each call what a test wants; it answers yes to what is not told. */
export async function unrulyExecutor(
  url: string,
  ways: { [path: string]: (body: ReceivedRun, response: ServerResponse, call: ReceivedCall) => unknown },
  group = 'default',
) {
  const server = await loopbackServer((call, response) => {
    const way = ways[call.path];
    if (way === undefined) return reply(response, { code: 200, msg: null });
    return way(JSON.parse(call.text), response, call);
  });
  const registration = { registryGroup: 'EXECUTOR', registryKey: group, registryValue: server.url };
  const runs = () =>
    server.calls.filter(({ path }) => path === '/run').map(({ text }) => JSON.parse(text) as ReceivedRun);
  const register = () => postJson(url, '/api/registry', registration);
  await register();
  return {
    ...server,
    runs,
    register,
    leave: () => postJson(url, '/api/registryRemove', registration),
    /** Calls a result back, to whatever node. */
    callback: (logId: number, handleCode = 200, handleMsg: string | null = null, at = url) =>
      postJson(at, '/api/callback', [{ logId, logDateTim: 0, handleCode, handleMsg }]),
  };
}
