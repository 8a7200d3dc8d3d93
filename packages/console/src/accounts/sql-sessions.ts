import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { createSecret, secretHash } from './secrets.js';

const HOUR_MS = 3_600_000;
/** A session that nobody used for so long is over, and so is one of this age. */
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_MS = 7 * 24 * HOUR_MS;
/** How exactly the last use is known. */
const SEEN_EVERY_MS = 60_000;

/** Who is logged in. Only the hash of what the browser holds is kept. */
export interface Sessions {
  /** The secret of a new session; what was there before for this browser is another one's business. */
  begin(userName: string, at: number): Promise<string>;
  /** Null when there is none, or it is over. */
  find(secret: string, at: number): Promise<{ hash: string; userName: string } | null>;
  end(secret: string): Promise<void>;
}

export function createSessions({ kysely }: HoraeDatabase): Sessions {
  const remove = (hash: string) => sql`delete from horae_console_sessions where hash = ${hash}`.execute(kysely);
  return {
    async begin(userName, at) {
      const secret = createSecret();
      await sql`delete from horae_console_sessions where seen_at < ${at - IDLE_MS} or created_at < ${at - SESSION_MS}`.execute(
        kysely,
      );
      await sql`insert into horae_console_sessions (hash, user_name, created_at, seen_at)
        values (${secretHash(secret)}, ${userName}, ${at}, ${at})`.execute(kysely);
      return secret;
    },
    async find(secret, at) {
      const hash = secretHash(secret);
      const { rows } = await sql<{ user_name: string; created_at: number; seen_at: number }>`
        select user_name, created_at, seen_at from horae_console_sessions where hash = ${hash}`.execute(kysely);
      const row = rows[0];
      if (row === undefined) return null;
      if (row.seen_at < at - IDLE_MS || row.created_at < at - SESSION_MS) {
        await remove(hash);
        return null;
      }
      if (row.seen_at < at - SEEN_EVERY_MS)
        await sql`update horae_console_sessions set seen_at = ${at} where hash = ${hash}`.execute(kysely);
      return { hash, userName: row.user_name };
    },
    end: async (secret) => void (await remove(secretHash(secret))),
  };
}
