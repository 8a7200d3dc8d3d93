import type { Clock } from '@horae/clock-store';
import type { RingHttpOptions } from '../model/interface.js';
import { callUrl, executorPaths } from '../wire/dialect.js';
import { idleBeatMessage, killMessage } from '../wire/job-message.js';
import { logMessage, parseLogPayload } from '../wire/log-message.js';
import { isHttpUrl } from '../wire/registry-message.js';
import { OK, parseReply } from '../wire/reply.js';
import { runMessage } from '../wire/run-message.js';
import type { RemoteAnswer, RemoteCalls } from '../workbench/remote-calls.js';
import { createCallLimiter } from './call-limiter.js';
import { createCircuitBreakers } from './circuit-breaker.js';
import { createHttpClient, type PostResult } from './http-client.js';
import { resolveHttpOptions } from './http-options.js';

/** A positive answer with its payload, or the reason why there is none. `saysNo`: there was an answer. */
type CallAnswer =
  | { readonly ok: true; readonly payload: unknown }
  | (Extract<RemoteAnswer, { ok: false }> & { readonly saysNo?: true });

/** More than both pools run concurrently, so that the pools are the limit, and few enough for a process's open files. */
const LIMITS = { total: 512, perAddress: 256, waiting: 10_000 };

/**
 * Calls to executors over HTTP: kept-alive connections, a time limit per call, a bounded number of calls, and one circuit breaker per
 * address, so that a dead executor costs nothing while its breaker is open.
 */
export function createRemoteCalls(options: Partial<RingHttpOptions>, clock: Clock): RemoteCalls {
  const { accessToken, tokenHeader, callTimeoutMs, breaker } = resolveHttpOptions(options);
  const client = createHttpClient({ clock, accessToken, tokenHeader });
  const breakers = createCircuitBreakers(breaker);
  const limiter = createCallLimiter(LIMITS);

  async function call(address: string, path: string, body: unknown): Promise<CallAnswer> {
    if (!isHttpUrl(address)) return failed(`${address}${path}: the address is no http URL`);
    // With an open breaker there is no need to wait for room.
    if (breakers.state(address, clock.monotonicMs()) === 'open') return closedOff(address);
    const answer = await limiter.run(address, () => attempt(address, path, body));
    return answer ?? failed(`${address}${path}: too many calls wait already`);
  }

  async function attempt(address: string, path: string, body: unknown): Promise<CallAnswer> {
    const permit = breakers.permit(address, clock.monotonicMs());
    if (permit === null) return closedOff(address);
    const url = callUrl(address, path);
    const result = await client.post(url, body, { timeoutMs: callTimeoutMs });
    permit.report(result.kind === 'fault' ? 'fault' : 'answered', clock.monotonicMs());
    return judge(result, url);
  }

  async function ask(address: string, path: string, body: unknown): Promise<RemoteAnswer> {
    const answer = await call(address, path, body);
    if (answer.ok) return { ok: true };
    const { saysNo: _, ...refusal } = answer;
    return refusal;
  }

  return {
    beat: async (address) => (await call(address, executorPaths.beat, {})).ok,
    idleBeat: async (address, jobId) => (await call(address, executorPaths.idleBeat, idleBeatMessage(jobId))).ok,
    async hasRun(address, { jobId, runId }) {
      const answer = await call(address, executorPaths.idleBeat, idleBeatMessage(jobId, runId));
      if (answer.ok) return 'gone';
      return answer.saysNo ? 'there' : 'unanswered';
    },
    run: (address, assignment, firedAt) => ask(address, executorPaths.run, runMessage(assignment, firedAt)),
    kill: (address, run) => ask(address, executorPaths.kill, killMessage(run)),
    async log(address, run) {
      const answer = await call(address, executorPaths.log, logMessage(run));
      return answer.ok ? parseLogPayload(answer.payload) : null;
    },
    breaker: (address) => breakers.state(address, clock.monotonicMs()),
    hasBreakers: () => breakers.size > 0,
    closeBreaker: (address) => breakers.close(address),
    close: async () => client.close(),
  };
}

/** Only HTTP 200 with JSON whose code is 200 is positive; otherwise the message says what was received instead. */
function judge(result: PostResult, url: URL): CallAnswer {
  const where = `${url.origin}${url.pathname}`;
  if (result.kind !== 'answered') return failed(`${where}: ${result.message}`);
  if (result.status !== 200) return failed(`${where}: answered HTTP ${result.status}`);
  const reply = parseReply(result.text);
  if (typeof reply === 'string') return failed(`${where}: ${reply}`);
  if (reply.code === OK) return { ok: true, payload: reply.payload };
  const said = reply.msg === null ? '' : `: ${reply.msg.slice(0, 1_000)}`;
  return { ok: false, saysNo: true, message: `${where}: answered code ${reply.code}${said}`, ...reply.horae };
}

function failed(message: string): CallAnswer {
  return { ok: false, message };
}

function closedOff(address: string): CallAnswer {
  const message = `${address}: not called, because its last calls all failed; one call will try again soon`;
  return { ok: false, message, waitFor: 'breaker' };
}
