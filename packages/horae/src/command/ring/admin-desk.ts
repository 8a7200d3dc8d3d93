import { HoraeError } from '@horae/clock-store';
import { CommandInputError } from '../command-errors.js';
import { plainJson } from '../plain-json.js';
import type { Desk } from './desk.js';

const ANSWER_WITHIN_MS = 30_000;

/** A node refused what it was asked; `status` is that of HTTP, `reason` the code of its answer. */
export class AdminRefusedError extends HoraeError<{ hint: string; status: number; reason: string; issues?: unknown }> {
  readonly code = 'refused-by-node';
}

/** A desk whose questions are answered by the admin API of a node. */
export function adminDesk(url: string, token: string | undefined): Desk {
  const base = baseOf(url);
  const ask = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
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
    const answer = (await response.json().catch(() => null)) as T;
    if (!response.ok || answer === null) throw refused(base, response.status, answer);
    return answer;
  };
  return {
    add: (job) => ask('POST', 'jobs', job),
    list: (options) => ask('GET', `jobs${query(options)}`),
    start: (id) => ask('POST', `jobs/${id}/start`, {}),
    stop: (id) => ask('POST', `jobs/${id}/stop`, {}),
    trigger: (id, options) => ask('POST', `jobs/${id}/trigger`, options),
    runs: (options) => ask('GET', `runs${query(options)}`),
    executors: async (group) => (await ask<{ executors: [] }>('GET', `executors${query({ group })}`)).executors,
    log: (id, fromLine) => ask('GET', `runs/${id}/log${query({ fromLine })}`),
  };
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
      ? 'give its token with --token or HORAE_TOKEN'
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
