import { sql } from 'kysely';
import type { AnyKysely } from '../base/engine.js';
import { SchemaMissingError } from '../base/storage-errors.js';

/** The server's errors when another process creates the same schema at the same moment. */
const MADE_BY_ANOTHER = new Set(['23505', '42P06']);
const NOT_ALLOWED = '42501';

/** Creates the schema unless it exists. A user without the right to create one can use an existing one. */
export async function makeSchema(db: AnyKysely, url: string, schema: string | undefined): Promise<void> {
  if (schema === undefined) return;
  const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(db);
  if (rows.length > 0) return;
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (MADE_BY_ANOTHER.has(code)) return;
    if (code !== NOT_ALLOWED) throw error;
    throw new SchemaMissingError(
      `${url} has no schema ${schema}, and this user may not make it: create schema "${schema}" authorization … as its owner`,
      { url, schema },
      { cause: error },
    );
  }
}
