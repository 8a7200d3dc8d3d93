import { existsSync } from 'node:fs';
import type { ArgsDef } from 'citty';
import { wholeNumber } from '../arguments/number-argument.js';
import { CommandInputError, UsageError } from '../frame/command-errors.js';
import type { RingClient } from './ring-client.js';
import { tokenOf } from './tokens.js';

/** Options with the address of the ring. */
export const ringArguments = {
  url: { type: 'string', alias: 'u', description: 'URL of a node', valueHint: 'http://…' },
  token: {
    type: 'string',
    description: "The node's admin token, HORAE_ADMIN_TOKEN or HORAE_TOKEN by default",
    valueHint: 'text',
  },
  database: {
    type: 'string',
    alias: 'd',
    description: 'URL of the database, to work without a node',
    valueHint: 'url',
  },
} as const satisfies ArgsDef;

/** The values of `ringArguments`. */
export interface RingArguments {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly database?: string | undefined;
}

/** Runs `work` with a client for the node or database that the options name, and closes it. */
export async function withRingClient<T>(
  { url, token, database }: RingArguments,
  work: (client: RingClient) => Promise<T>,
  { isReading = false }: { readonly isReading?: boolean } = {},
): Promise<T> {
  if ((url === undefined) === (database === undefined)) {
    throw new UsageError('give either --url or --database', {
      hint: '--url http://127.0.0.1:7070 uses a node of "horae ring serve"; --database sqlite:./ring.db needs no node',
    });
  }
  if (url !== undefined) {
    const { adminRingClient } = await import('./admin-ring-client.js');
    return work(adminRingClient(url, tokenOf('--token', token, 'HORAE_ADMIN_TOKEN', 'HORAE_TOKEN')));
  }
  if (isReading) checkFile(database!);
  const { withDatabaseClient } = await import('./database-ring-client.js');
  return withDatabaseClient(database!, work);
}

/** Reading creates no new file: a missing file means a mistake in its name. */
function checkFile(url: string): void {
  const path = /^sqlite:(?:\/\/(?=.))?(.+)$/i.exec(url)?.[1];
  if (path === undefined || path === ':memory:' || existsSync(path)) return;
  throw new CommandInputError(`there is no database ${path}`, { hint: 'check the path of --database', path });
}

/** Parses an id from the command line. */
export function idOf(what: string, text: string): number {
  return wholeNumber(what, text, { fallback: 1, least: 1, most: Number.MAX_SAFE_INTEGER });
}
