import { type DatabaseUrl, parseDatabaseUrl } from './base/database-url.js';
import type { Engine } from './base/engine.js';
import { checkDriverVersion, loadDriver, type MajorVersions } from './base/load-driver.js';
import { type OpenDatabaseOptions, type ResolvedOptions, resolveOptions } from './base/options.js';
import { DatabaseTlsError } from './base/storage-errors.js';
import { type TlsSettings, tlsSettings } from './base/tls-settings.js';
import type { HoraeDatabase } from './horae-database.js';

/** As in the peer dependencies: 13 ends a process on Node 20 with a segmentation fault. */
const SQLITE_VERSIONS: MajorVersions = [11, 13];

/**
 * Opens `sqlite:path`, `sqlite::memory:`, `postgres://…` or `mysql://…` (also `postgresql://…` and `mariadb://…`). A relative path
 * is relative to the working directory; the file is created when missing, its folder is not. The driver is loaded here; a
 * missing one throws `DriverMissingError` with the command that installs it. A server must answer, or this throws.
 */
export async function openDatabase(url: string, options: OpenDatabaseOptions = {}): Promise<HoraeDatabase> {
  const parsed = parseDatabaseUrl(url);
  const resolved = resolveOptions(options, parsed.dialect === 'sqlite' ? {} : parsed.settings, parsed.dialect);
  if (parsed.dialect === 'sqlite') return answering(await openEngine(parsed, resolved), parsed, resolved);
  const tls = tlsSettings(resolved.ssl, parsed);
  try {
    return await answering(await openEngine(parsed, resolved, tls), parsed, resolved);
  } catch (error) {
    const isNotOffered = error instanceof DatabaseTlsError && !error.details.isOffered;
    if (!isNotOffered || !tls?.isOptional) throw error;
    return answering(await openEngine(parsed, resolved, undefined), parsed, resolved);
  }
}

async function answering(engine: Engine, url: DatabaseUrl, options: ResolvedOptions): Promise<HoraeDatabase> {
  // Everything that imports kysely is imported after it has been found.
  const { EngineDatabase } = await import('./horae-database.js');
  const database = new EngineDatabase(engine, url.printable, options);
  try {
    await database.ping();
    await engine.prepare?.();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openEngine(url: DatabaseUrl, options: ResolvedOptions, tls?: TlsSettings): Promise<Engine> {
  if (url.dialect === 'sqlite') {
    checkDriverVersion(url.printable, 'better-sqlite3', SQLITE_VERSIONS);
    const driver = await loadDriver(url.printable, 'better-sqlite3', () => import('better-sqlite3'));
    const { openSqliteEngine } = await import('./sqlite/sqlite-engine.js');
    return openSqliteEngine(url, options, driver.default);
  }
  if (url.dialect === 'postgres') {
    const driver = await loadDriver(url.printable, 'pg', () => import('pg'));
    const { openPostgresEngine } = await import('./server/postgres-engine.js');
    return openPostgresEngine(url, options, driver.default, tls);
  }
  const driver = await loadDriver(url.printable, 'mysql2', () => import('mysql2'));
  const { openMysqlEngine } = await import('./server/mysql-engine.js');
  return openMysqlEngine(url, options, driver.default, tls);
}
