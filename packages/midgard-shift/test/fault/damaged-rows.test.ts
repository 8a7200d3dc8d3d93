import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { createManualClock, startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger, LedgerDamagedError } from '../../src/index.js';
import { key, parameters, world } from '../support/world.js';

const damages = [
  { story: 'a list that is no JSON', change: sql`update horae_shift_lists set active = '['`, field: 'active' },
  { story: 'a list that is none', change: sql`update horae_shift_lists set retired = '7'`, field: 'retired' },
  { story: 'a null in a list', change: sql`update horae_shift_lists set active = '[null]'`, field: 'active[0]' },
  {
    story: 'an operator that is none',
    change: sql`update horae_shift_lists set registered = '[{}]'`,
    field: 'registered[0].operator',
  },
  { story: 'lists that are gone', change: sql`delete from horae_shift_lists`, field: 'id' },
  { story: 'a flag that is none', change: sql`update horae_shift_steps set hub_oracle = 7`, field: 'hub_oracle' },
  {
    story: 'a shift without its start',
    change: sql`update horae_shift_steps set shift_start = null`,
    field: 'scheduler.shiftStart',
  },
  {
    story: 'a key that is none',
    change: sql`update horae_shift_steps set operator = 'ann'`,
    field: 'scheduler.operator',
  },
];

const servers = [
  { name: 'SQLite', start: async () => ({ freshDatabase: async () => 'sqlite::memory:', stop: async () => {} }) },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
];

describe.each(servers)('on $name', ({ start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let database: HoraeDatabase | undefined;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  test.for(damages)('$story is an error that names the row and the field', async ({ change, field }, context) => {
    if (server === 'unavailable') return context.skip('MariaDB is not installed here');
    database = await openDatabase(await server.freshDatabase());
    try {
      const clock = createManualClock({ now: 1_200 });
      const state = { ...world({ active: [10, 20] }), scheduler: { operator: key(10), shiftStart: 0 } };
      const ledger = await createLedger({ state, parameters, clock, database });
      await change.execute(database.kysely);
      const error = await ledger.state().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(LedgerDamagedError);
      expect(error).toMatchObject({
        code: 'ledger-damaged',
        details: { table: expect.stringMatching(/^horae_shift_/), row: expect.anything(), field },
        message: expect.stringMatching(/row .*restore the database/),
      });
    } finally {
      await database.close();
    }
  });
});
