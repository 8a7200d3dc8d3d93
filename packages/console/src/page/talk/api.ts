import { CSRF_HEADER, type SessionView } from '../../wire/accounts.js';
import { words } from '../words/language.js';
import { createStore } from '../words/store.js';

/** The server refused a request; the message is for the user. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The faults by field, where the server has sent them. */
    readonly issues: readonly { readonly path: string; readonly message: string }[] = [],
  ) {
    super(message);
  }
}

/** The current user; null until the server has answered. */
export const session = createStore<SessionView | null>(null);
/** A session has ended while the page was open. */
export const isSessionOver = createStore(false);

export async function loadSession(): Promise<void> {
  session.set(await ask<SessionView>('console/session'));
}

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

/** Reads something; without a value it is left out of the query. */
export function ask<T>(path: string, query: Query = {}): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return answerOf<T>(fetch(`${path}${search === '' ? '' : `?${search}`}`));
}

/** Changes something, with the session's token. */
export function change<T = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const now = session.get();
  const csrf = now?.kind === 'in' ? now.csrf : '';
  const json: Record<string, string> = method === 'DELETE' ? {} : { 'content-type': 'application/json' };
  return answerOf<T>(
    fetch(path, {
      method,
      headers: { ...json, [CSRF_HEADER]: csrf },
      ...(method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }),
    }),
  );
}

async function answerOf<T>(request: Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await request;
  } catch {
    throw new Refused(0, 'unreachable', words().unreachable);
  }
  const text = await response.text();
  const value = readJson(text);
  if (response.ok) return value as T;
  if (response.status === 401 && session.get()?.kind === 'in') await sessionEnded();
  const { error } = (value ?? {}) as { error?: { code: string; message: string; issues?: Refused['issues'] } };
  throw new Refused(response.status, error?.code ?? 'failed', error?.message ?? `${response.status}`, error?.issues);
}

async function sessionEnded(): Promise<void> {
  isSessionOver.set(true);
  session.set(null);
  await loadSession();
}

function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
