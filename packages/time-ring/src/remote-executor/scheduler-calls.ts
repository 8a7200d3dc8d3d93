import type { HttpClient } from '../http/http-client.js';
import { callUrl } from '../wire/dialect.js';
import { OK, parseReply } from '../wire/reply.js';

/** Calls from an executor to its scheduler. */
export interface SchedulerCalls {
  /** Calls the addresses in turn until one accepts. Returns a string with the reason if none does. */
  call(path: string, body: unknown, options?: { signal?: AbortSignal }): Promise<true | string>;
}

const CALL_TIMEOUT_MS = 10_000;

/** All addresses lead to the same database, so one acceptance is enough; that address is called first the next time. */
export function createSchedulerCalls(urls: readonly string[], client: HttpClient): SchedulerCalls {
  let preferred = 0;

  async function callOne(url: string, path: string, body: unknown, signal?: AbortSignal): Promise<true | string> {
    const result = await client.post(callUrl(url, path), body, { timeoutMs: CALL_TIMEOUT_MS, signal });
    if (result.kind !== 'answered') return result.message;
    if (result.status !== 200) return `answered HTTP ${result.status}`;
    const reply = parseReply(result.text);
    if (typeof reply === 'string') return reply;
    return reply.code === OK || `answered code ${reply.code}: ${reply.msg}`;
  }

  return {
    async call(path, body, { signal } = {}) {
      const problems: string[] = [];
      for (let turn = 0; turn < urls.length && !signal?.aborted; turn++) {
        const index = (preferred + turn) % urls.length;
        const answer = await callOne(urls[index]!, path, body, signal);
        if (answer === true) {
          preferred = index;
          return true;
        }
        problems.push(`${urls[index]}${path}: ${answer}`);
      }
      return problems.join('; ') || 'given up';
    },
  };
}
