import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { sql } from 'kysely';

export type ClaimMode = 'lock-row' | 'buckets';

interface Place {
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** The databases that a fixture exists for. */
export const editionPlaces: readonly { name: string; dialect: string; start(): Promise<Place | 'unavailable'> }[] = [
  { name: 'SQLite', dialect: 'sqlite', start: sqliteFiles },
  { name: 'PostgreSQL', dialect: 'postgres', start: startTestPostgres },
  { name: 'MariaDB', dialect: 'mysql', start: startTestMariadb },
];

async function sqliteFiles(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-upgrade-'));
  let files = 0;
  return {
    freshDatabase: async () => `sqlite:${join(folder, `${++files}.db`)}`,
    stop: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The statements of the fixture, as if its node had died a second ago, in the wanted claim mode. */
export async function editionStatements(dialect: string, claim: ClaimMode): Promise<string[]> {
  const file = new URL(`../fixtures/first-edition/${dialect}.sql`, import.meta.url);
  const text = await readFile(file, 'utf8');
  const writtenAt = Number(/^-- written at (\d+)/.exec(text)![1]);
  const shift = Date.now() - 1_000 - writtenAt;
  const isNear = (ms: number) => Math.abs(ms - writtenAt) < 7 * 86_400_000;
  return text
    .replace(/^--.*\n/, '')
    .replaceAll(/\b\d{13}\b/g, (digits) => (isNear(Number(digits)) ? String(Number(digits) + shift) : digits))
    .replaceAll("'lock-row'", `'${claim}'`)
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Runs the statements one by one. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const database = await openDatabase(url);
  try {
    for (const statement of statements) await sql.raw(statement).execute(database.kysely);
  } finally {
    await database.close();
  }
}
