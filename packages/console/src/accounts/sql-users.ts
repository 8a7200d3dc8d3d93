import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { Grant, UserView } from '../wire/accounts.js';
import { readGrant, type StoredGrant, storedScope } from './sql-grants.js';

interface StoredUser extends StoredGrant {
  readonly name: string;
  readonly password: string;
  readonly disabled: number;
  readonly created_at: number;
  readonly last_login_at: number | null;
}

/** A user with the hash of the password. */
export interface User extends UserView {
  readonly password: string;
}

/** The fields of a user that may be changed. */
export type UserChange = Partial<Grant & { password: string; isDisabled: boolean }>;

/** The users that may log in. */
export interface Users {
  count(): Promise<number>;
  find(name: string): Promise<User | null>;
  list(): Promise<readonly User[]>;
  /** `taken` when a user of that name exists; with `onlyFirst`, when any user exists. */
  add(user: Grant & { name: string; password: string }, at: number, onlyFirst?: boolean): Promise<'added' | 'taken'>;
  /** `last-admin` when no user would be left that may manage users. A change of password or a disabled user ends the sessions. */
  change(name: string, change: UserChange): Promise<'changed' | 'unknown' | 'last-admin'>;
  remove(name: string): Promise<'removed' | 'unknown' | 'last-admin'>;
  loggedIn(name: string, at: number): Promise<void>;
}

const LOCK = 'console-users';
const MAX_USERS = 10_000;

export function createUsers(database: HoraeDatabase): Users {
  const { kysely } = database;
  type Executor = typeof kysely;

  const read = async (db: Executor, name: string): Promise<User | null> => {
    const { rows } = await sql<StoredUser>`select * from horae_console_users where name = ${name}`.execute(db);
    return rows[0] === undefined ? null : userOf(rows[0]);
  };
  const all = async (db: Executor): Promise<User[]> => {
    const { rows } =
      await sql<StoredUser>`select * from horae_console_users order by name limit ${sql.lit(MAX_USERS)}`.execute(db);
    return rows.map(userOf);
  };
  const isLastAdmin = async (db: Executor, name: string) =>
    !(await all(db)).some((user) => user.name !== name && mayManageUsers(user));

  return {
    async count() {
      const { rows } = await sql<{ users: unknown }>`select count(*) as users from horae_console_users`.execute(kysely);
      return Number(rows[0]!.users);
    },
    find: (name) => read(kysely, name),
    list: () => all(kysely),
    add: (user, at, onlyFirst = false) =>
      database.withLock(LOCK, async (trx) => {
        const isTaken = onlyFirst ? (await all(trx)).length > 0 : (await read(trx, user.name)) !== null;
        if (isTaken) return 'taken';
        await sql`insert into horae_console_users (name, password, role, scope, disabled, created_at)
          values (${user.name}, ${user.password}, ${user.role}, ${storedScope(user)}, 0, ${at})`.execute(trx);
        return 'added';
      }),
    change: (name, change) =>
      database.withLock(LOCK, async (trx) => {
        const before = await read(trx, name);
        if (before === null) return 'unknown';
        const after: User = { ...before, ...change };
        if (mayManageUsers(before) && !mayManageUsers(after) && (await isLastAdmin(trx, name))) return 'last-admin';
        await sql`update horae_console_users set password = ${after.password}, role = ${after.role},
          scope = ${storedScope(after)}, disabled = ${after.isDisabled ? 1 : 0} where name = ${name}`.execute(trx);
        if (after.isDisabled || change.password !== undefined)
          await sql`delete from horae_console_sessions where user_name = ${name}`.execute(trx);
        return 'changed';
      }),
    remove: (name) =>
      database.withLock(LOCK, async (trx) => {
        const before = await read(trx, name);
        if (before === null) return 'unknown';
        if (mayManageUsers(before) && (await isLastAdmin(trx, name))) return 'last-admin';
        await sql`delete from horae_console_sessions where user_name = ${name}`.execute(trx);
        await sql`delete from horae_console_users where name = ${name}`.execute(trx);
        return 'removed';
      }),
    async loggedIn(name, at) {
      await sql`update horae_console_users set last_login_at = ${at} where name = ${name}`.execute(kysely);
    },
  };
}

function mayManageUsers({ role, groups, isDisabled }: User): boolean {
  return role === 'admin' && groups === null && !isDisabled;
}

function userOf(row: StoredUser): User {
  const { name, password, disabled, created_at: createdAt, last_login_at: lastLoginAt } = row;
  return { name, password, ...readGrant(row), isDisabled: Number(disabled) !== 0, createdAt, lastLoginAt };
}
