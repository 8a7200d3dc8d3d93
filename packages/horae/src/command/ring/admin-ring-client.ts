import { HoraeError } from '@horae/clock-store';
import type { Flow } from '@horae/time-ring';
import { CommandInputError } from '../frame/command-errors.js';
import { plainJson } from '../output/plain-json.js';
import type { RingClient } from './ring-client.js';

const ANSWER_WITHIN_MS = 30_000;

/** A node rejected a request; `status` is the HTTP status, `reason` the error code of the response. */
export class AdminRefusedError extends HoraeError<{ hint: string; status: number; reason: string; issues?: unknown }> {
  readonly code = 'refused-by-node';
}

/** A client of a node's admin API. */
export function adminRingClient(url: string, token: string | undefined): RingClient {
  const base = baseOf(url);
  const ask = async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(`${base}/admin/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: plainJson(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    if (response.status === 204) return undefined as T;
    const answer = (await response.json().catch(() => null)) as T;
    if (!response.ok || answer === null) throw refused(base, response.status, answer);
    return answer;
  };
  return {
    add: (job) => ask('POST', 'jobs', job),
    update: (id, change) => ask('PATCH', `jobs/${id}`, change),
    remove: (id) => ask('DELETE', `jobs/${id}`),
    list: (options) => ask('GET', `jobs${query(options)}`),
    start: (id) => ask('POST', `jobs/${id}/start`, {}),
    stop: (id) => ask('POST', `jobs/${id}/stop`, {}),
    trigger: (id, options) => ask('POST', `jobs/${id}/trigger`, options),
    runs: (options) => ask('GET', `runs${query(options)}`),
    run: (run) => ask('GET', `runs/${run}`),
    retry: (run) => ask('POST', `runs/${run}/retry`, {}),
    pause: (group) => ask('POST', `groups/${encodeURIComponent(group)}/pause`, {}),
    resume: (group) => ask('POST', `groups/${encodeURIComponent(group)}/resume`, {}),
    kill: async (run) => (await ask<{ killed: boolean }>('POST', `runs/${run}/kill`, {})).killed,
    startFlow: (flow) => ask('POST', 'flows', flow),
    flows: (options) => ask('GET', `flows${query(options)}`),
    flow: (id) => ask<Flow>('GET', `flows/${id}`).catch(nothingIfUnknown),
    cancelFlow: async (id) => (await ask<{ cancelled: boolean }>('POST', `flows/${id}/cancel`, {})).cancelled,
    importXxl: (text, options) => ask('POST', 'import', { text, ...options }),
    executors: async (group) => (await ask<{ executors: [] }>('GET', `executors${query({ group })}`)).executors,
    log: (id, fromLine) => ask('GET', `runs/${id}/log${query({ fromLine })}`),
  };
}

function nothingIfUnknown(error: unknown): null {
  if (error instanceof AdminRefusedError && error.details.reason === 'unknown-flow') return null;
  throw error;
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return url.replace(/\/+$/, '').replace(/\/admin$/, '');
  throw new CommandInputError(`--url is no address of a node: "${url}"`, { hint: 'write http://127.0.0.1:7070', url });
}

function query(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString();
  return text === '' ? '' : `?${text}`;
}

function unreachable(base: string, error: unknown): CommandInputError {
  const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
  return new CommandInputError(`no node answers at ${base} (${cause})`, {
    hint: 'start one with "horae ring serve ring.yaml --port 7070", or use --database',
    url: base,
  });
}

function refused(base: string, status: number, answer: unknown): AdminRefusedError {
  const { code, message, issues } = (answer as { error?: Record<string, unknown> } | null)?.error ?? {};
  const reason = String(code ?? status);
  const hint =
    status === 401
      ? 'give its token with --token, HORAE_ADMIN_TOKEN or HORAE_TOKEN'
      : status === 404
        ? '"horae ring list" and "horae ring runs" show the ids'
        : `asked at ${base}`;
  return new AdminRefusedError(String(message ?? `the node answered ${status}`), {
    hint,
    status,
    reason,
    ...(issues === undefined ? {} : { issues }),
  });
}
