import { isHoraeError } from '../errors.js';
import {
  DatabaseBusyError,
  DatabaseClosedError,
  DatabaseCredentialsError,
  DatabaseMissingError,
  DatabaseUnreachableError,
  DiskFullError,
} from './storage-errors.js';

/** SQLSTATEs of PostgreSQL, error numbers of MySQL and MariaDB, codes of Node's sockets. */
const BUSY = new Set(['40001', '40P01', '55P03', '1213', '1205']);
const CREDENTIALS = new Set(['28P01', '28000', '1045', '1044', '1698']);
const MISSING = new Set(['3D000', '1049']);
const FULL = new Set(['53100', '1021', '1114']);
const UNREACHABLE = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EPIPE',
    'EAI_AGAIN',
    'ENOENT',
  ],
  ...['PROTOCOL_CONNECTION_LOST', 'ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ...['57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006'],
  ...['1040', '1053', '1077', '1079', '1927'],
]);
/** What the drivers say without a code. */
const LOST =
  /connection terminated|closed state|timeout exceeded when trying to connect|connection is closed|not queryable|client was closed/i;
const CLOSED = /pool is closed|after calling end on the pool|driver has already been destroyed/i;

/** The typed error for what a server or its driver says, or `error` itself when it is about the statement. */
export function translateServerError(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || isHoraeError(error)) return error;
  const codes = codesOf(error);
  const has = (known: ReadonlySet<string>) => codes.some((code) => known.has(code));
  const options = { cause: error };
  if (has(BUSY)) {
    return new DatabaseBusyError(`${url} is busy: ${error.message}`, { url, attempts: 0, waitedMs: 0 }, options);
  }
  if (has(CREDENTIALS)) {
    return new DatabaseCredentialsError(
      `${url} refuses the user or the password: check both, and that the user may use this database`,
      { url },
      options,
    );
  }
  if (has(MISSING)) {
    return new DatabaseMissingError(
      `${url} names a database that the server does not have: create it first`,
      { url },
      options,
    );
  }
  if (has(FULL)) return new DiskFullError(`The server of ${url} has no room left: free some space`, { url }, options);
  if (CLOSED.test(error.message)) return new DatabaseClosedError(`${url} is closed`, { url }, options);
  if (has(UNREACHABLE) || LOST.test(error.message)) {
    return new DatabaseUnreachableError(
      `${url} does not answer, or the connection was lost (${codes[0] ?? error.message}): is the server running and the address right?`,
      { url },
      options,
    );
  }
  return error;
}

function codesOf(error: Error): readonly string[] {
  const { code, errno, errors } = error as { code?: unknown; errno?: unknown; errors?: unknown };
  const own = [code, errno].filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  // A host name with several addresses fails with one error for each.
  const inner = Array.isArray(errors) ? errors.flatMap((each) => (each instanceof Error ? codesOf(each) : [])) : [];
  return [...own, ...inner];
}
