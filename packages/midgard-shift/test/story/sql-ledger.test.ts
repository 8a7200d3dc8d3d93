import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { createManualClock } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLedger, planTransaction, startShiftKeeper } from '../../src/index.js';
import { DURATION, key, parameters, world } from '../support/world.js';

let folder: string;
let open: HoraeDatabase[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'horae-shift-'));
});
afterEach(async () => {
  for (const database of open) await database.close();
  open = [];
  rmSync(folder, { recursive: true, force: true });
});

async function database(): Promise<HoraeDatabase> {
  const opened = await openDatabase(`sqlite:${join(folder, 'ledger.db')}`);
  open.push(opened);
  return opened;
}

const clock = createManualClock({ now: 1_200 });
const beginning = world({
  active: [10, 20, 30],
  registered: [{ operator: key(40), activationTime: 99_000 }],
  retired: [50],
});

function nextTransaction(state: typeof beginning) {
  const plan = planTransaction(state, 1_200, key(20), parameters);
  if (!plan.possible) throw new Error(plan.explanation);
  return plan.transaction;
}

test('a chain in a database goes on where it was, whatever state is given', async () => {
  const first = await createLedger({ state: beginning, parameters, clock, database: await database() });
  expect(await first.submit(nextTransaction(beginning))).toEqual({ accepted: true });
  const second = await createLedger({ state: world({ active: [1] }), parameters, clock, database: await database() });
  const state = await second.state();
  expect(state).toEqual({ ...beginning, scheduler: { operator: key(20), shiftStart: DURATION } });
  const frozen = [state, state.scheduler, state.active, state.registered, state.registered[0], state.retired];
  expect(frozen.map(Object.isFrozen)).toEqual([true, true, true, true, true, true]);
  await second.rollback(1);
  expect(await first.state()).toEqual(beginning);
});

test('of two ledgers on one database one accepts a transaction', async () => {
  const ledgers = [
    await createLedger({ state: beginning, parameters, clock, database: await database() }),
    await createLedger({ state: beginning, parameters, clock, database: await database() }),
  ];
  const verdicts = await Promise.all(ledgers.map((ledger) => ledger.submit(nextTransaction(beginning))));
  expect(verdicts.filter(({ accepted }) => accepted).length).toBe(1);
});

test('two keepers share a chain in a database', async () => {
  const time = createManualClock({ now: 0 });
  const connection = await database();
  const chain = await createLedger({
    state: world({ active: [10, 20] }),
    parameters,
    clock: time,
    database: connection,
  });
  const keepers = [10, 20].map((n) =>
    startShiftKeeper({ clock: time, chain, operator: key(n), parameters, random: seededRandom(n) }),
  );
  await time.advanceTo(6 * DURATION + 1);
  expect((await chain.state()).scheduler).toEqual({ operator: key(20), shiftStart: 6 * DURATION });
  await Promise.all(keepers.map((keeper) => keeper.stop()));
});

test('the lists are stored once for all the steps that share them', async () => {
  const connection = await database();
  const ledger = await createLedger({ state: beginning, parameters, clock, database: connection });
  for (let step = 0; step < 5; step++)
    await ledger.change((state) => ({ ...state, scheduler: { operator: key(30), shiftStart: step + 1 } }));
  await ledger.change((state) => ({ ...state, retired: [] }));
  const count = async (table: string) =>
    Number(
      (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(connection.kysely)).rows[0]!.n,
    );
  expect([await count('horae_shift_steps'), await count('horae_shift_lists')]).toEqual([7, 2]);
  await ledger.rollback(1);
  expect([await count('horae_shift_steps'), await count('horae_shift_lists')]).toEqual([6, 1]);
});

test('steps deeper than a chain can roll back are forgotten', async () => {
  const connection = await openDatabase('sqlite::memory:');
  open.push(connection);
  const inSql = await createLedger({ state: beginning, parameters, clock, database: connection });
  const inMemory = await createLedger({ state: beginning, parameters, clock });
  for (const ledger of [inSql, inMemory]) {
    const step = (n: number) =>
      ledger.change((state) => ({ ...state, scheduler: { operator: key(30), shiftStart: n } }));
    for (let n = 1; n <= 2_600; n++) await step(n);
    await expect(ledger.rollback(2_161)).rejects.toThrow('from 0 to 2160');
    await ledger.rollback(2_160);
    expect((await ledger.state()).scheduler?.shiftStart).toBe(440);
  }
});

test('rows that are no state are refused, not repaired', async () => {
  const connection = await database();
  const ledger = await createLedger({ state: beginning, parameters, clock, database: connection });
  await sql`update horae_shift_steps set operator = 'nobody'`.execute(connection.kysely);
  await expect(ledger.state()).rejects.toThrow('state.scheduler.operator must be a key hash');
});
