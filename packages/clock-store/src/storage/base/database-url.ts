import { DatabaseUrlError } from './storage-errors.js';
import { readParameters, type UrlSettings } from './url-parameters.js';

/** The three kinds of database. MariaDB counts as `mysql`. */
export type Dialect = 'sqlite' | 'postgres' | 'mysql';

/** A database URL that has been read. `printable` has no password. */
export type DatabaseUrl =
  | { readonly dialect: 'sqlite'; readonly printable: string; readonly path: string; readonly isMemory: boolean }
  | ServerUrl;

/** Where a server is. */
export interface ServerAddress {
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** The URL of a server. Undefined parts take the driver's default. */
export interface ServerUrl {
  readonly dialect: 'postgres' | 'mysql';
  readonly printable: string;
  /** In the order in which they are tried: one, and several only with PostgreSQL. */
  readonly hosts: readonly ServerAddress[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly settings: UrlSettings;
}

const SERVER_SCHEMES: Readonly<Record<string, 'postgres' | 'mysql'>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
};

const FORMS =
  'use sqlite:./file.db, sqlite::memory:, postgres://user:password@host/database or mysql://user:password@host/database';
const ENCODE = `are special characters in the user and the password percent-encoded?): ${FORMS}`;

/** Reads a database URL. Throws `DatabaseUrlError` for another scheme, a missing part, and unknown parameters. */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(typeof url === 'string' ? url : '')?.[1]?.toLowerCase();
  if (scheme === 'sqlite') return parseSqlite(url);
  const dialect = scheme === undefined ? undefined : SERVER_SCHEMES[scheme];
  if (dialect === undefined) throw refusal(url, `not a database URL that is known here: ${FORMS}`);
  return parseServer(url, dialect);
}

function parseSqlite(url: string): DatabaseUrl {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=.)/, '');
  if (path === '') throw refusal(url, 'a SQLite URL needs a path: use sqlite:./file.db or sqlite::memory:');
  return { dialect: 'sqlite', printable: url, path, isMemory: path === ':memory:' };
}

const MAX_HOSTS = 10;

const SERVER_FORM =
  /^(?<scheme>[a-z]+):\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>(?:\[[^\]]*\]|[^@/?#[\]])*)(?:\/(?<database>[^/?#@]*))?(?:\?(?<query>[^#]*))?$/i;

function parseServer(url: string, dialect: 'postgres' | 'mysql'): ServerUrl {
  const groups = SERVER_FORM.exec(url)?.groups;
  if (groups === undefined)
    throw refusal(url, `not the URL of a server (is there a // after the scheme, and ${ENCODE}`);
  // Checked first: text that is not an address may be part of a password, which must not be shown.
  const written = (groups.hosts ?? '').split(',').map((text) => addressOf(url, text));
  const part = (name: string) => decoded(url, groups[name]);
  const address = `${groups.scheme}://${credentials(groups)}${groups.hosts}${groups.database === undefined ? '' : `/${groups.database}`}`;
  const { given, settings, shown } = readParameters(address, dialect, groups.query ?? '');
  const database = part('database') || undefined;
  if (dialect === 'mysql' && database === undefined) {
    throw new DatabaseUrlError(
      `${JSON.stringify(address)} cannot be opened: a MySQL URL names a database: mysql://user:password@host/database`,
      { url: address },
    );
  }
  const hosts = givenAddresses(written, given);
  const problem = hosts === null ? 'it has not as many ports as hosts' : tooManyHosts(dialect, hosts);
  if (hosts === null || problem !== undefined)
    throw new DatabaseUrlError(`${JSON.stringify(address)} cannot be opened: ${problem}`, { url: address });
  return {
    dialect,
    printable: address + shown,
    hosts,
    user: given.user ?? (part('user') || undefined),
    password: given.password ?? part('password'),
    database,
    settings,
  };
}

const ADDRESS = /^(?:\[(?<six>[^\]]*)\]|(?<name>[^:]*))(?::(?<port>\d{1,5}))?$/;

function addressOf(url: string, text: string): ServerAddress {
  const groups = ADDRESS.exec(text)?.groups;
  if (groups === undefined)
    throw refusal(url, `not the URL of a server (is there a // after the scheme, and ${ENCODE}`);
  const { six, name, port } = groups;
  return { host: decoded(url, six ?? name) || undefined, port: port === undefined ? undefined : Number(port) };
}

/** The addresses that the parameters `host` and `port` give instead, each a list; null when the lists do not fit together. */
function givenAddresses(
  written: readonly ServerAddress[],
  { host, port }: { host?: string; port?: string },
): readonly ServerAddress[] | null {
  const hosts =
    host === undefined ? written.map((each) => each.host) : host.split(',').map((each) => each || undefined);
  if (port === undefined)
    return host === undefined ? written : hosts.map((each) => ({ host: each, port: written[0]?.port }));
  const ports = port.split(',').map(Number);
  if (ports.length !== 1 && ports.length !== hosts.length) return null;
  return hosts.map((each, i) => ({ host: each, port: ports[i] ?? ports[0] }));
}

function tooManyHosts(dialect: 'postgres' | 'mysql', hosts: readonly ServerAddress[]): string | undefined {
  if (dialect === 'mysql' && hosts.length > 1)
    return 'several hosts are for PostgreSQL: name one, or a proxy in front of them';
  return hosts.length > MAX_HOSTS ? `it names more than ${MAX_HOSTS} hosts` : undefined;
}

function credentials({ user, password }: Record<string, string | undefined>): string {
  if (user === undefined) return '';
  return `${user}${password === undefined ? '' : ':***'}@`;
}

function decoded(url: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal(url, `not the URL of a server (${ENCODE}`);
  }
}

function refusal(url: unknown, problem: string): DatabaseUrlError {
  const shown = typeof url === 'string' ? withoutSecrets(url) : String(url);
  return new DatabaseUrlError(`${JSON.stringify(shown)} cannot be opened: ${problem}`, { url: shown });
}

/** An unreadable URL may hold a password anywhere: only the scheme is shown, or a text that looks like a path. */
function withoutSecrets(url: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:(\/\/)?/i.exec(url)?.[0];
  if (scheme !== undefined) return url === scheme ? url : `${scheme}***`;
  return /[@?=:]/.test(url) ? '***' : url;
}
