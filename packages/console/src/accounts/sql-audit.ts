import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { AuditEntry } from '../wire/accounts.js';

/** Every change, with its user and address. Entries are only ever added. */
export interface Audit {
  add(entry: Omit<AuditEntry, 'id'>): Promise<void>;
  /** The newest first. */
  list(query: AuditQuery): Promise<{ entries: readonly AuditEntry[]; cursor: string | null }>;
}

export interface AuditQuery {
  readonly target?: string | undefined;
  readonly who?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Columns of keys end here. */
const MAX_KEY = 190;
/** More than this of a state is not kept: an import has megabytes. */
const MAX_STATE = 32_768;

export function createAudit({ kysely }: HoraeDatabase): Audit {
  return {
    async add({ at, who, via, from, action, target, status, before, after }) {
      await sql`insert into horae_console_audit (at, who, via, address, action, target, status, state_before, state_after)
        values (${at}, ${who.slice(0, MAX_KEY)}, ${via}, ${from?.slice(0, MAX_KEY) ?? null}, ${action.slice(0, MAX_KEY)},
          ${target.slice(0, MAX_KEY)}, ${status}, ${stored(before)}, ${stored(after)})`.execute(kysely);
    },
    async list({ target, who, before, limit }) {
      const { rows } = await sql<StoredEntry>`select * from horae_console_audit
        where id < ${before ?? Number.MAX_SAFE_INTEGER}
        ${target === undefined ? sql`` : sql`and target = ${target}`} ${who === undefined ? sql`` : sql`and who = ${who}`}
        order by id desc limit ${sql.lit(limit + 1)}`.execute(kysely);
      const entries = rows.slice(0, limit).map(entryOf);
      return { entries, cursor: rows.length > limit ? String(entries.at(-1)!.id) : null };
    },
  };
}

interface StoredEntry {
  readonly id: unknown;
  readonly at: number;
  readonly who: string;
  readonly via: string;
  readonly address: string | null;
  readonly action: string;
  readonly target: string;
  readonly status: number;
  readonly state_before: string | null;
  readonly state_after: string | null;
}

function stored(state: unknown): string | null {
  if (state === null || state === undefined) return null;
  const text = JSON.stringify(state);
  return text.length <= MAX_STATE ? text : JSON.stringify({ tooLarge: text.length });
}

function entryOf(row: StoredEntry): AuditEntry {
  const { at, who, action, target } = row;
  const read = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return {
    ...{ id: Number(row.id), at, who, via: row.via as AuditEntry['via'], from: row.address, action, target },
    ...{ status: Number(row.status), before: read(row.state_before), after: read(row.state_after) },
  };
}
