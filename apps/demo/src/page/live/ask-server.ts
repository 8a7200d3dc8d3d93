import { type Refusal, tokenHeader } from '../../wire/session.js';
import { currentToken } from './live-store.js';

/** The server refused a request; the message is for the user. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reads something. */
export function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  const search = new URLSearchParams(query).toString();
  return answerOf<T>(fetch(`api/${path}${search === '' ? '' : `?${search}`}`));
}

/** Changes something, with the page's token. */
export async function tell<T = unknown>(path: string, body: unknown = {}): Promise<T> {
  const token = await currentToken();
  if (token === null) throw unreachable();
  return answerOf<T>(
    fetch(`api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [tokenHeader]: token },
      body: JSON.stringify(body),
    }),
  );
}

async function answerOf<T>(request: Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await request;
  } catch {
    throw unreachable();
  }
  const value = (await response.json().catch(() => null)) as T | Refusal | null;
  const isRefusal = typeof value === 'object' && value !== null && 'error' in value;
  if (response.ok && value !== null && !isRefusal) return value as T;
  const refusal = value as Refusal | null;
  throw new Refused(
    refusal?.error?.code ?? 'failed',
    refusal?.error?.message ?? `The server answered ${response.status}.`,
  );
}

function unreachable(): Refused {
  return new Refused('unreachable', 'The server does not answer. It may be starting again.');
}
