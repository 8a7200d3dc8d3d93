import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { Grant, TokenView } from '../wire/accounts.js';
import { createSecret, secretHash } from './secrets.js';
import { readGrant, type StoredGrant, storedScope } from './sql-grants.js';

interface StoredToken extends StoredGrant {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
  readonly created_by: string;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

/** The prefix of every token, so that people and scanners for secrets recognise it. */
export const TOKEN_PREFIX = 'horae_';
const USED_EVERY_MS = 60_000;
const MAX_TOKENS = 10_000;
const ID_LENGTH = 12;

/** Tokens of programs. Only their hashes are kept. */
export interface Tokens {
  /** The secret is returned here and never again. */
  add(token: Grant & { name: string; createdBy: string }, at: number): Promise<{ token: TokenView; secret: string }>;
  list(): Promise<readonly TokenView[]>;
  get(id: string): Promise<TokenView | null>;
  /** Null for an unknown or revoked secret. */
  find(secret: string, at: number): Promise<TokenView | null>;
  revoke(id: string, at: number): Promise<void>;
}

export function createTokens({ kysely }: HoraeDatabase): Tokens {
  const get = async (id: string) => {
    const { rows } = await sql<StoredToken>`select * from horae_console_tokens where id = ${id}`.execute(kysely);
    return rows[0] === undefined ? null : tokenOf(rows[0]);
  };
  return {
    get,
    async add(token, at) {
      const secret = `${TOKEN_PREFIX}${createSecret()}`;
      const id = createSecret().slice(0, ID_LENGTH);
      await sql`insert into horae_console_tokens (id, hash, name, role, scope, created_at, created_by)
        values (${id}, ${secretHash(secret)}, ${token.name}, ${token.role}, ${storedScope(token)}, ${at}, ${token.createdBy})`.execute(
        kysely,
      );
      return { token: (await get(id))!, secret };
    },
    async list() {
      const { rows } = await sql<StoredToken>`
        select * from horae_console_tokens order by created_at desc, id limit ${sql.lit(MAX_TOKENS)}`.execute(kysely);
      return rows.map(tokenOf);
    },
    async find(secret, at) {
      const { rows } = await sql<StoredToken>`
        select * from horae_console_tokens where hash = ${secretHash(secret)} and revoked_at is null`.execute(kysely);
      const row = rows[0];
      if (row === undefined) return null;
      if ((row.last_used_at ?? 0) < at - USED_EVERY_MS)
        await sql`update horae_console_tokens set last_used_at = ${at} where id = ${row.id}`.execute(kysely);
      return tokenOf(row);
    },
    async revoke(id, at) {
      await sql`update horae_console_tokens set revoked_at = ${at} where id = ${id} and revoked_at is null`.execute(
        kysely,
      );
    },
  };
}

function tokenOf(row: StoredToken): TokenView {
  return {
    ...{ id: row.id, name: row.name, ...readGrant(row), createdAt: row.created_at, createdBy: row.created_by },
    ...{ lastUsedAt: row.last_used_at, revokedAt: row.revoked_at },
  };
}
