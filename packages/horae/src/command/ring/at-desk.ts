import type { ArgsDef } from 'citty';
import { UsageError } from '../command-errors.js';
import { wholeNumber } from '../number-argument.js';
import type { Desk } from './desk.js';

/** Where the ring is. */
export const deskArguments = {
  url: { type: 'string', alias: 'u', description: 'Ask the node at this address', valueHint: 'http://…' },
  token: { type: 'string', description: "The node's access token, HORAE_TOKEN by default", valueHint: 'text' },
  database: { type: 'string', alias: 'd', description: 'Or work on the database itself', valueHint: 'url' },
} as const satisfies ArgsDef;

/** The values of `deskArguments`. */
export interface DeskArguments {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly database?: string | undefined;
}

/** Opens the desk that the arguments name, works at it, and closes it again. */
export async function atDesk<T>({ url, token, database }: DeskArguments, work: (desk: Desk) => Promise<T>): Promise<T> {
  if ((url === undefined) === (database === undefined)) {
    throw new UsageError('say where the ring is: --url or --database, one of the two', {
      hint: '--url http://127.0.0.1:7070 asks a node of "horae ring serve"; --database sqlite:./ring.db works without one',
    });
  }
  if (url !== undefined) {
    const { adminDesk } = await import('./admin-desk.js');
    return work(adminDesk(url, token ?? process.env.HORAE_TOKEN));
  }
  const { atDatabaseDesk } = await import('./database-desk.js');
  return atDatabaseDesk(database!, work);
}

/** An id as typed. */
export function idOf(what: string, text: string): number {
  return wholeNumber(what, text, { fallback: 1, least: 1, most: Number.MAX_SAFE_INTEGER });
}
