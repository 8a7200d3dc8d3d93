import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, vi } from 'vitest';
import type { Handler, RunContext } from '../../src/model/handler.js';
import { type RemoteExecutorOptions, startRemoteExecutor } from '../../src/remote-executor/start-remote-executor.js';
import type { CallbackItem } from '../../src/wire/callback-message.js';
import { loopbackServer, reply } from './loopback-server.js';
import { postJson } from './raw-request.js';

/** A scheduler that keeps what it is told. */
export async function scheduler() {
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

/** A remote executor and the scheduler it reports to, in manual time. */
export async function remoteExecutor(handlers: Record<string, Handler>, options: Partial<RemoteExecutorOptions> = {}) {
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
export function longHandler() {
  const contexts: RunContext[] = [];
  const ends: (() => void)[] = [];
  const handler: Handler = (context) => {
    contexts.push(context);
    return new Promise((resolve) => void ends.push(() => resolve(undefined)));
  };
  return { handler, contexts, ends };
}
