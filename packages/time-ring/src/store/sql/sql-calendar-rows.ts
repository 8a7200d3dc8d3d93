import { createHash } from 'node:crypto';
import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import type { CalendarDefinition } from '@horae/cron-grammar';
import { type RawBuilder, sql } from 'kysely';
import type { JobTransaction, StoredCalendar } from '../job-store.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { type JobRow, unpackJob } from './sql-job-rows.js';
import { forUpdate } from './sql-row-batch.js';
import { readJson, readText, storedJson, storedText } from './sql-stored-text.js';

interface CalendarRow {
  readonly name: string;
  readonly definition: string;
}

/** The digest of a name: names are any text, and the digest can be a key in every database. */
export function nameKey(name: string): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}

/** The calendars with these names, or all, by name. */
export async function readCalendars(
  db: AnyKysely,
  names: readonly string[] | null,
  lock: RawBuilder<unknown> = sql``,
): Promise<readonly StoredCalendar[]> {
  if (names?.length === 0) return [];
  const where = names === null ? sql`1 = 1` : sql`name_key in (${sql.join(names.map(nameKey))})`;
  const { rows } = await sql<CalendarRow>`
    select name, definition from horae_ring_calendars where ${where} order by name_key ${lock}`.execute(db);
  return rows
    .map(({ name, definition }) => ({ name: readText(name), definition: readJson(definition) as CalendarDefinition }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The operations of a transaction on calendars. */
export function calendarWrites(
  db: AnyKysely,
  dialect: Dialect,
): Pick<JobTransaction, 'lockCalendars' | 'putCalendar' | 'deleteCalendar' | 'jobsExcept'> {
  return {
    lockCalendars: (names) => readCalendars(db, names, forUpdate(dialect)),
    async putCalendar({ name, definition }) {
      const key = nameKey(name);
      const stored = storedJson(definition) ?? '{}';
      const row = { name_key: key, name: storedText(name), definition: stored };
      if (await insertIfAbsent(db, dialect, 'horae_ring_calendars', row)) return;
      await sql`update horae_ring_calendars set definition = ${stored} where name_key = ${key}`.execute(db);
    },
    async deleteCalendar(name) {
      const { numAffectedRows } = await sql`
        delete from horae_ring_calendars where name_key = ${nameKey(name)}`.execute(db);
      return numAffectedRows === 1n;
    },
    async jobsExcept(calendar) {
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where except_calendars is not null order by id`.execute(db);
      return rows.map(unpackJob).filter(({ except }) => except.includes(calendar));
    },
  };
}
