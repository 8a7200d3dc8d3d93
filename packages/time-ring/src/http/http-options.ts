import { validateHeaderName, validateHeaderValue } from 'node:http';
import { badOption } from '../model/errors.js';
import type { RingHttpOptions } from '../model/interface.js';
import { TOKEN_HEADER } from '../wire/dialect.js';
import type { PayloadField } from '../wire/reply.js';
import { isLoopback } from './loopback.js';

/** Connections for callers other than executors: people, programs, and all callers of an executor. */
const OTHER_CONNECTIONS = 1_024;

/** The options with which a server, the scheduler's or an executor's, listens and authorises calls. */
export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** Undefined: every caller that reaches the port is allowed, so the port is on loopback. */
  readonly accessToken: string | undefined;
  readonly tokenHeader: string;
  readonly payloadField: PayloadField;
  readonly maxBodyBytes: number;
  /** Any further connection is closed at once. */
  readonly maxConnections: number;
  /** The name of that limit in the options, for the warning that suggests raising it. */
  readonly maxBodySetting: string;
}

/** The HTTP options of a node with every default filled in. */
export interface ResolvedHttpOptions extends ListenOptions {
  /** The token of the admin API: the access token unless it has its own. */
  readonly adminToken: string | undefined;
  readonly callTimeoutMs: number;
  readonly maxExecutors: number;
  readonly breaker: { readonly failures: number; readonly openMs: number };
  readonly resultGraceMs: number;
}

/** Executors report many results at once, each with up to 15,000 characters; third-party executors do not truncate them. */
const CALLBACKS_BYTES = 33_554_432;
/** A sent run contains parameters of at most 64 KiB, twice. */
const CALL_BYTES = 1_048_576;

/** Checks the options and fills in the defaults. Throws 'bad-option' with the field and the expectation. */
export function resolveHttpOptions(options: Partial<RingHttpOptions>): ResolvedHttpOptions {
  const maxExecutors = whole('http.maxExecutors', options.maxExecutors ?? 20_000, 1);
  // Every executor may keep a connection between two heartbeats.
  const maxConnections = options.maxConnections ?? maxExecutors + OTHER_CONNECTIONS;
  const listen = resolveListenOptions({ ...options, maxConnections }, 'http.', CALLBACKS_BYTES);
  return {
    ...listen,
    adminToken: token('http.adminToken', options.adminToken) ?? listen.accessToken,
    callTimeoutMs: whole('http.callTimeoutMs', options.callTimeoutMs ?? 3_000, 1),
    maxExecutors,
    breaker: {
      failures: whole('http.breaker.failures', options.breaker?.failures ?? 3, 1),
      openMs: whole('http.breaker.openMs', options.breaker?.openMs ?? 10_000, 1),
    },
    resultGraceMs: whole('http.resultGraceMs', options.resultGraceMs ?? 10_000, 0),
  };
}

/** The options that a scheduler's server and an executor's server share. `prefix` precedes the field names in errors. */
export function resolveListenOptions(
  options: Partial<RingHttpOptions>,
  prefix: string,
  defaultBodyBytes = CALL_BYTES,
): ListenOptions {
  const host = options.host ?? '127.0.0.1';
  if (typeof host !== 'string' || host === '') throw badOption(`${prefix}host`, host, 'a name or an address');
  const accessToken = token(`${prefix}accessToken`, options.accessToken);
  if (accessToken === undefined && !isLoopback(host)) {
    throw badOption(`${prefix}host`, host, 'a loopback address such as 127.0.0.1 unless there is an accessToken');
  }
  const payloadField = options.payloadField ?? 'content';
  if (payloadField !== 'content' && payloadField !== 'data') {
    throw badOption(`${prefix}payloadField`, payloadField, "'content' or 'data'");
  }
  return {
    port: whole(`${prefix}port`, options.port ?? 0, 0, 65_535),
    host,
    accessToken,
    tokenHeader: headerName(`${prefix}tokenHeader`, options.tokenHeader ?? TOKEN_HEADER),
    payloadField,
    maxBodyBytes: whole(`${prefix}maxBodyBytes`, options.maxBodyBytes ?? defaultBodyBytes, 1),
    maxBodySetting: `${prefix}maxBodyBytes`,
    maxConnections: whole(`${prefix}maxConnections`, options.maxConnections ?? OTHER_CONNECTIONS, 1),
  };
}

function headerName(field: string, name: string): string {
  try {
    validateHeaderName(name);
    return name;
  } catch {
    throw badOption(field, name, 'the name of a header such as ORTH-ACCESS-TOKEN');
  }
}

function token(field: string, value: string | undefined): string | undefined {
  // XXL-JOB's configuration files express "no token" as an empty one.
  if (value === undefined || value === '') return undefined;
  try {
    validateHeaderValue('authorization', value);
  } catch {
    throw badOption(field, '(not shown)', 'a text that fits into a header');
  }
  if (typeof value !== 'string' || value.trim() !== value) {
    throw badOption(field, '(not shown)', 'a text without spaces around it');
  }
  return value;
}

/** `value` when it is a whole number in range; throws 'bad-option' otherwise. */
export function whole(field: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw badOption(
    field,
    value,
    `a whole number from ${least} on${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`,
  );
}
