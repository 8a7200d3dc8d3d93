import { type DatabaseUrl, parseDatabaseUrl } from './database-url.js';
import type { Engine } from './engine.js';
import type { HoraeDatabase } from './horae-database.js';
import { loadDriver } from './load-driver.js';
import { type OpenDatabaseOptions, type ResolvedOptions, resolveOptions } from './options.js';

/**
 * Opens `sqlite:path`, `sqlite::memory:`, `postgres://…` or `mysql://…` (also `postgresql://…` and `mariadb://…`). A relative path
 * is relative to the working directory; the file is created when missing, its folder is not. The driver is loaded here; a
 * missing one throws `DriverMissingError` with the command that installs it. A server must answer, or this throws.
 */
export async function openDatabase(url: string, options: OpenDatabaseOptions = {}): Promise<HoraeDatabase> {
  const parsed = parseDatabaseUrl(url);
  const resolved = resolveOptions(options);
  const engine = await openEngine(parsed, resolved);
  // Everything that imports kysely is imported after it has been found.
  const { EngineDatabase } = await import('./horae-database.js');
  const database = new EngineDatabase(engine, parsed.printable, resolved);
  try {
    await database.ping();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openEngine(url: DatabaseUrl, options: ResolvedOptions): Promise<Engine> {
  if (url.dialect === 'sqlite') {
    const driver = await loadDriver(url.printable, 'better-sqlite3', () => import('better-sqlite3'));
    const { openSqliteEngine } = await import('./sqlite-engine.js');
    return openSqliteEngine(url, options, driver.default);
  }
  if (url.dialect === 'postgres') {
    const driver = await loadDriver(url.printable, 'pg', () => import('pg'));
    const { openPostgresEngine } = await import('./postgres-engine.js');
    return openPostgresEngine(url, options, driver.default);
  }
  const driver = await loadDriver(url.printable, 'mysql2', () => import('mysql2'));
  const { openMysqlEngine } = await import('./mysql-engine.js');
  return openMysqlEngine(url, options, driver.default);
}
