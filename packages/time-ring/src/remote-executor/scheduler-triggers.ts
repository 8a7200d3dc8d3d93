import type { HttpClient } from '../http/http-client.js';
import { TimeRingError, type TimeRingErrorCode } from '../model/errors.js';
import type { Flow } from '../model/flow.js';
import type { Run } from '../model/run.js';
import { callUrl } from '../wire/dialect.js';
import type { ExecutorRing } from '../workbench/executor-ring.js';

const CALL_TIMEOUT_MS = 10_000;
/** Nothing was sent, so another node may be called. */
const NOT_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/;

/** The part of the ring available to handlers of a remote executor, through the schedulers' admin API, which must accept their token. */
export function createSchedulerTriggers(urls: readonly string[], client: HttpClient): ExecutorRing {
  async function ask(path: string, body: unknown, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    let problem = '';
    for (const url of urls) {
      const target = callUrl(url, path);
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
      const result = await client.post(target, body, { timeoutMs: CALL_TIMEOUT_MS });
      if (result.kind === 'answered') return read(result.status, result.text);
      problem = `${url}${path}: ${result.message}`;
      if (!NOT_SENT.test(result.message)) break;
    }
    throw new Error(`The scheduler did not answer, and nobody knows whether it was written: ${problem}`);
  }

  return {
    jobs: {
      trigger: async (job, options = {}) =>
        (await ask(`/admin/jobs/${encodeURIComponent(job)}/trigger`, options)) as Run,
      triggerMany: async (job, items) =>
        ((await ask(`/admin/jobs/${encodeURIComponent(job)}/trigger-many`, { items })) as { runs: Run[] }).runs,
    },
    flows: {
      start: async (flow, { fromRun }) => (await ask('/admin/flows', flow, { fromRun: String(fromRun) })) as Flow,
    },
  };
}

function read(status: number, text: string): unknown {
  const answer = parse(text);
  if (status === 201 || status === 202) return answer;
  const { code, message } = (answer as { error?: { code?: string; message?: string } } | null)?.error ?? {};
  throw new TimeRingError(
    (code ?? 'bad-option') as TimeRingErrorCode,
    message ?? `The scheduler answered HTTP ${status}: is the accessToken one that its admin API takes?`,
    { status },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
