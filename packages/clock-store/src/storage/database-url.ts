import { DatabaseUrlError } from './storage-errors.js';

/** The three kinds of database. MariaDB counts as `mysql`. */
export type Dialect = 'sqlite' | 'postgres' | 'mysql';

/** A database URL that has been read. `printable` has no password. */
export type DatabaseUrl =
  | { readonly dialect: 'sqlite'; readonly printable: string; readonly path: string; readonly isMemory: boolean }
  | { readonly dialect: 'postgres' | 'mysql'; readonly printable: string; readonly connectionUrl: string };

const SERVER_SCHEMES: Readonly<Record<string, 'postgres' | 'mysql'>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
};

const FORMS =
  'use sqlite:./file.db, sqlite::memory:, postgres://user:password@host/database or mysql://user:password@host/database';

/** Reads a database URL. Throws `DatabaseUrlError` for another scheme, a missing path or a missing database name. */
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

function parseServer(url: string, dialect: 'postgres' | 'mysql'): DatabaseUrl {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw refusal(url, `not a URL (are special characters in the password percent-encoded?): ${FORMS}`);
  }
  if (dialect === 'mysql' && parsed.pathname.length < 2) {
    throw refusal(url, 'a MySQL URL names a database: mysql://user:password@host/database');
  }
  const printable = new URL(url);
  if (printable.password !== '') printable.password = '***';
  if (printable.searchParams.has('password')) printable.searchParams.set('password', '***');
  // mysql2 knows one scheme for both servers.
  const connectionUrl = dialect === 'mysql' ? url.replace(/^[a-z]+:/i, 'mysql:') : url;
  return { dialect, printable: printable.href, connectionUrl };
}

function refusal(url: unknown, problem: string): DatabaseUrlError {
  // What cannot be parsed may still hold a password: everything that could be one goes.
  const shown =
    typeof url === 'string' ? url.replace(/:\/\/.*@/, '://***@').replace(/(password=)[^&]*/gi, '$1***') : String(url);
  return new DatabaseUrlError(`${JSON.stringify(shown)} cannot be opened: ${problem}`, { url: shown });
}
