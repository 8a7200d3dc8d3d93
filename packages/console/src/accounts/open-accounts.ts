import type { HoraeDatabase } from '@horae/clock-store/storage';
import { type Audit, createAudit } from './sql-audit.js';
import { consoleMigrations } from './sql-migrations.js';
import { createSessions, type Sessions } from './sql-sessions.js';
import { createSettings, type Settings } from './sql-settings.js';
import { createTokens, type Tokens } from './sql-tokens.js';
import { createUsers, type Users } from './sql-users.js';

/** Everything the console keeps. */
export interface Accounts {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly settings: Settings;
  readonly signingKey: string;
}

/** Brings the console's tables up to date in the ring's database. */
export async function openAccounts(database: HoraeDatabase): Promise<Accounts> {
  await database.migrate('console', consoleMigrations);
  const settings = createSettings(database);
  return {
    users: createUsers(database),
    sessions: createSessions(database),
    tokens: createTokens(database),
    audit: createAudit(database),
    settings,
    signingKey: await settings.signingKey(),
  };
}
