import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isHoraeError } from '../../errors.js';
import {
  DatabaseBusyError,
  DatabaseClosedError,
  DatabaseFolderMissingError,
  DatabaseIsDirectoryError,
  DatabaseReadOnlyError,
  DiskFullError,
  DriverMissingError,
  NotADatabaseError,
} from '../base/storage-errors.js';

/** A contention that has not been waited out yet. */
export function sqliteBusy(url: string, cause?: unknown): DatabaseBusyError {
  return new DatabaseBusyError(
    `${url} is busy: another connection is writing`,
    { url, attempts: 0, waitedMs: 0 },
    { cause },
  );
}

/** Refuses a path that SQLite would answer with nothing but "unable to open database file". */
export function checkSqlitePath(url: string, path: string): void {
  const folder = dirname(path);
  if (kindOf(path) === 'directory') {
    throw new DatabaseIsDirectoryError(`${path} is a folder: name a file in it, such as sqlite:${path}/horae.db`, {
      url,
      path,
    });
  }
  if (kindOf(folder) !== 'directory') {
    throw new DatabaseFolderMissingError(
      `The folder ${folder} for the database ${path} does not exist: create it first`,
      {
        url,
        path,
        folder,
      },
    );
  }
}

/** The typed error for an error of SQLite, or `error` itself when it is about the statement and not about the database. */
export function translateSqliteError(error: unknown, url: string, path: string): unknown {
  if (!(error instanceof Error) || isHoraeError(error)) return error;
  const code = String((error as { code?: unknown }).code ?? '');
  const options = { cause: error };
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return sqliteBusy(url, error);
  if (code === 'SQLITE_FULL') {
    return new DiskFullError(`No room left to write to ${path}: free some space, then try again`, { url }, options);
  }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new NotADatabaseError(
      `${path} is not a SQLite database, or it is damaged: name another file, or restore it from a backup`,
      { url, path },
      options,
    );
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code)) {
    return new DatabaseReadOnlyError(
      `${path} cannot be written by this process: give it write access to the file and to its folder`,
      { url, path },
      options,
    );
  }
  if (/database connection is not open/.test(error.message)) {
    return new DatabaseClosedError(`${url} is closed`, { url }, options);
  }
  if (code === 'ERR_DLOPEN_FAILED' || /could not locate the bindings file/i.test(error.message)) {
    const install = 'npm rebuild better-sqlite3';
    return new DriverMissingError(
      `better-sqlite3 is installed but its native part does not load on this Node: run \`${install}\``,
      { url, packageName: 'better-sqlite3', install },
      options,
    );
  }
  return error;
}

function kindOf(path: string): 'directory' | 'other' | 'nothing' {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  return stats.isDirectory() ? 'directory' : 'other';
}
