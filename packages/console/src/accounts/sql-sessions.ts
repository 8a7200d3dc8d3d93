import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { Grant } from '../wire/accounts.js';
import { createSecret, secretHash } from './secrets.js';
import { readGrant, storedScope } from './sql-grants.js';

const HOUR_MS = 3_600_000;
/** A session that was not used for this long is over, and so is one of this age. */
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_MS = 7 * 24 * HOUR_MS;
/** A provider's grant counts for this long; then the provider is queried again. */
const GRANTED_MS = 12 * HOUR_MS;
/** The precision of the last use. */
const SEEN_EVERY_MS = 60_000;

/** The sessions of logged-in users. Only the hash of the browser's secret is kept. */
export interface Sessions {
  /**
   * The secret of a new session; an earlier session of this browser is not touched. `granted` is the provider's grant for this user, and
   * its token; without it, the grant of the user of this name counts.
   */
  begin(userName: string, at: number, granted?: Grant & { idToken: string | null }): Promise<string>;
  /** Null for a session that does not exist or is over. */
  find(secret: string, at: number): Promise<{ hash: string; userName: string; granted: Grant | null } | null>;
  /** Returns the provider's token of a session that existed and had one. */
  end(secret: string): Promise<{ idToken: string | null } | null>;
}

interface StoredSession {
  readonly user_name: string;
  readonly created_at: number;
  readonly seen_at: number;
  readonly role: string | null;
  readonly scope: string | null;
}

export function createSessions({ kysely }: HoraeDatabase): Sessions {
  const remove = (hash: string) => sql`delete from horae_console_sessions where hash = ${hash}`.execute(kysely);
  return {
    async begin(userName, at, granted) {
      const secret = createSecret();
      await sql`delete from horae_console_sessions where seen_at < ${at - IDLE_MS} or created_at < ${at - SESSION_MS}`.execute(
        kysely,
      );
      const [role, scope] = granted === undefined ? [null, null] : [granted.role, storedScope(granted)];
      const idToken = granted?.idToken ?? null;
      await sql`insert into horae_console_sessions (hash, user_name, created_at, seen_at, role, scope, id_token)
        values (${secretHash(secret)}, ${userName}, ${at}, ${at}, ${role}, ${scope}, ${idToken})`.execute(kysely);
      return secret;
    },
    async find(secret, at) {
      const hash = secretHash(secret);
      const { rows } = await sql<StoredSession>`
        select user_name, created_at, seen_at, role, scope from horae_console_sessions where hash = ${hash}`.execute(
        kysely,
      );
      const row = rows[0];
      if (row === undefined) return null;
      const { role, scope } = row;
      const lives = role === null ? SESSION_MS : GRANTED_MS;
      if (row.seen_at < at - IDLE_MS || row.created_at < at - lives) {
        await remove(hash);
        return null;
      }
      if (row.seen_at < at - SEEN_EVERY_MS)
        await sql`update horae_console_sessions set seen_at = ${at} where hash = ${hash}`.execute(kysely);
      return { hash, userName: row.user_name, granted: role === null ? null : readGrant({ role, scope }) };
    },
    async end(secret) {
      const hash = secretHash(secret);
      const { rows } = await sql<{ id_token: string | null }>`
        select id_token from horae_console_sessions where hash = ${hash}`.execute(kysely);
      await remove(hash);
      return rows.length === 0 ? null : { idToken: rows[0]!.id_token };
    },
  };
}
