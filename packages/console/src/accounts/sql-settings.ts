import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { createSecret, secretHash } from './secrets.js';

const LOCK = 'console-settings';
/** Each process that starts without users prints an address; this many of the newest are valid. */
const MAX_INVITATIONS = 8;

/** The settings that all processes with a console on one database share. */
export interface Settings {
  /** The key that signs CSRF tokens; made at the first call. */
  signingKey(): Promise<string>;
  /** A secret with which the first admin can be made. */
  invite(): Promise<string>;
  isInvitation(secret: string): Promise<boolean>;
  /** The first admin exists: no invitation is valid any more. */
  endInvitations(): Promise<void>;
}

export function createSettings(database: HoraeDatabase): Settings {
  const { kysely } = database;
  const read = async (db: typeof kysely, name: string) => {
    const { rows } = await sql<{
      value: string;
    }>`select value from horae_console_settings where name = ${name}`.execute(db);
    return rows[0]?.value;
  };
  const write = async (db: typeof kysely, name: string, value: string) => {
    await sql`delete from horae_console_settings where name = ${name}`.execute(db);
    await sql`insert into horae_console_settings (name, value) values (${name}, ${value})`.execute(db);
  };
  const invitations = async (db: typeof kysely) => JSON.parse((await read(db, 'invitations')) ?? '[]') as string[];
  return {
    signingKey: () =>
      database.withLock(LOCK, async (trx) => {
        const known = await read(trx, 'signing-key');
        if (known !== undefined) return known;
        const made = createSecret();
        await write(trx, 'signing-key', made);
        return made;
      }),
    invite: () =>
      database.withLock(LOCK, async (trx) => {
        const secret = createSecret();
        const hashes = [...(await invitations(trx)), secretHash(secret)].slice(-MAX_INVITATIONS);
        await write(trx, 'invitations', JSON.stringify(hashes));
        return secret;
      }),
    isInvitation: async (secret) => (await invitations(kysely)).includes(secretHash(secret)),
    endInvitations: () => database.withLock(LOCK, (trx) => write(trx, 'invitations', '[]')),
  };
}
