import { isHoraeError } from '../../errors.js';
import {
  ClusterNotReadyError,
  CommitFailedError,
  DatabaseBusyError,
  DatabaseClosedError,
  DatabaseCredentialsError,
  DatabaseMissingError,
  DatabaseUnreachableError,
  DatabaseUrlError,
  DiskFullError,
  ServerReadOnlyError,
  StatementTimeoutError,
  TooManyConnectionsError,
  TransactionTimeoutError,
} from '../base/storage-errors.js';
import { tlsFault } from './tls-faults.js';

type Fault = (facts: {
  readonly url: string;
  readonly error: Error;
  readonly options: { readonly cause: Error };
}) => Error;

/** SQLSTATEs of PostgreSQL, error numbers of MySQL and MariaDB, codes of Node's sockets; the first row that fits counts. */
const faults: readonly (readonly [codes: readonly string[], fault: Fault, says?: RegExp])[] = [
  [
    ['40001', '40P01', '55P03', '1213', '1205'],
    ({ url, error, options }) =>
      new DatabaseBusyError(`${url} is busy: ${error.message}`, { url, attempts: 0, waitedMs: 0 }, options),
  ],
  [
    // 57014 is also a statement that was cancelled by hand.
    ['57014', '1969', '3024'],
    ({ url, error, options }) =>
      new StatementTimeoutError(
        `${url} ended a statement that took too long, or that somebody cancelled: ${error.message}. If it needs longer, raise statementTimeoutMs`,
        { url, limitMs: null },
        options,
      ),
  ],
  [
    ['25P03', '25P04', '4031'],
    ({ url, options }) =>
      new TransactionTimeoutError(
        `${url} ended a transaction that lay idle for too long: this process was suspended or busy, or the transaction waits for something else than the database (idleTransactionMs)`,
        { url },
        options,
      ),
  ],
  [
    ['53300', '1040', '1203', '1226'],
    ({ url, options }) =>
      new TooManyConnectionsError(
        `${url} has no connection left: lower poolSize, end other clients, or raise the server's limit (max_connections)`,
        { url },
        options,
      ),
  ],
  [
    ['25006', '1290', '1792', '1836'],
    ({ url, error, options }) =>
      new ServerReadOnlyError(
        `${url} takes no writes (${error.message}): connect to the primary; a PostgreSQL URL may name all hosts, with target_session_attrs=read-write`,
        { url },
        options,
      ),
    // 1290 comes for other options of a server too.
    /read.?only/i,
  ],
  [
    ['1047'],
    ({ url, error, options }) =>
      new ClusterNotReadyError(
        `${url} is a member of a cluster that is not ready (${error.message}): it has lost the majority or is still joining; restore the cluster, or connect to another member`,
        { url },
        options,
      ),
  ],
  [
    ['1180'],
    ({ url, error, options }) =>
      new CommitFailedError(
        `${url} failed while committing (${error.message}): look whether it was kept before trying again; in a cluster see that it has a majority and that wsrep_max_ws_size is large enough`,
        { url },
        options,
      ),
  ],
  [
    ['28P01', '28000', '1045', '1044', '1698'],
    ({ url, options }) =>
      new DatabaseCredentialsError(
        `${url} refuses the user or the password: check both, and that the user may use this database`,
        { url },
        options,
      ),
  ],
  [
    ['3D000', '1049'],
    ({ url, options }) =>
      new DatabaseMissingError(
        `${url} names a database that the server does not have: create it first`,
        { url },
        options,
      ),
  ],
  [
    ['53100', '1021', '1114'],
    ({ url, options }) => new DiskFullError(`The server of ${url} has no room left: free some space`, { url }, options),
  ],
];

const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'EAI_AGAIN'],
  ...['ENOENT', 'PROTOCOL_CONNECTION_LOST'],
  ...['ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ...['57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006'],
  ...['1053', '1077', '1079', '1927'],
]);
/** Messages of the drivers without a code. */
const LOST =
  /connection terminated|closed state|timeout exceeded when trying to connect|connection is closed|not queryable|client was closed/i;
const CLOSED = /pool is closed|after calling end on the pool|driver has already been destroyed/i;
/** A pooler in front of PostgreSQL refuses settings that it cannot keep apart per client. */
const REFUSED_SETTING = /unsupported startup parameter/i;

/** The typed error for an error of a server or its driver, or `error` itself when it is about the statement. */
export function translateServerError(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || isHoraeError(error)) return error;
  const codes = codesOf(error);
  const options = { cause: error };
  const tls = tlsFault(error, codes, url);
  if (tls !== undefined) return tls;
  const found = faults.find(
    ([known, , says]) => codes.some((code) => known.includes(code)) && (says?.test(error.message) ?? true),
  );
  if (found !== undefined) return found[1]({ url, error, options });
  if (CLOSED.test(error.message)) return new DatabaseClosedError(`${url} is closed`, { url }, options);
  if (REFUSED_SETTING.test(error.message)) {
    return new DatabaseUrlError(
      `${url} cannot be opened: the pooler in front of the server refuses the schema of a connection (${error.message}): leave schema out and give the role one (alter role … set search_path), or let the pooler track search_path`,
      { url, parameter: 'schema' },
      options,
    );
  }
  if (codes.some((code) => UNREACHABLE.has(code)) || LOST.test(error.message)) {
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
