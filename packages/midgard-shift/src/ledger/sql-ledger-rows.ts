import { createHash } from 'node:crypto';
import type { AnyTransaction } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { z } from 'zod';
import { checkState, frozenState, type MidgardState } from '../state/midgard-state.js';
import { checkedAs, checkedJson, checkedRow } from './sql-damaged-row.js';

/** The last step as it was stored: its state, and the row that holds its lists. */
export interface StoredTip {
  readonly height: number;
  readonly listsId: string;
  readonly state: MidgardState;
}

const STEPS = 'horae_shift_steps';
const LISTS = 'horae_shift_lists';

const text = z.string({ error: 'a text' });
const whole = z.coerce.number().int({ error: 'a whole number' });
const tipSchema = z.object({
  height: whole,
  lists_id: text,
  operator: text.nullable(),
  shift_start: z.coerce.number({ error: 'a number' }).nullable(),
  hub_oracle: whole.refine((value) => value === 0 || value === 1, { error: '0 or 1' }),
});
const lowestSchema = z.object({ lowest: whole });
const listsSchema = z.object({ active: text, registered: text, retired: text });

/** The lists that were read last, so that a step that changes none of them does not parse them again. */
export interface ListsCache {
  listsId: string;
  lists: Pick<MidgardState, 'active' | 'registered' | 'retired'>;
}

/** The last step, or null when there is none. The content of the rows is checked like any other state. */
export async function readTip(trx: AnyTransaction, cache: ListsCache | null): Promise<StoredTip | null> {
  const { rows } = await sql`
    select height, operator, shift_start, hub_oracle, lists_id from horae_shift_steps
    order by height desc limit 1`.execute(trx);
  if (rows.length === 0) return null;
  const place = { table: STEPS, row: String((rows[0] as { height: unknown }).height) };
  const row = checkedRow(tipSchema, rows[0], place);
  const lists = cache?.listsId === row.lists_id ? cache.lists : await readLists(trx, row.lists_id);
  const scheduler = row.operator === null ? null : { operator: row.operator, shiftStart: row.shift_start as number };
  const state = { scheduler, hubOracle: row.hub_oracle === 1, ...lists };
  const listsPlace = { table: LISTS, row: row.lists_id };
  checkedAs(
    () => checkState(state),
    (field) => (field.startsWith('scheduler') ? place : listsPlace),
  );
  return { height: row.height, listsId: row.lists_id, state: frozenState(state) };
}

async function readLists(trx: AnyTransaction, id: string): Promise<ListsCache['lists']> {
  const { rows } = await sql`select active, registered, retired from horae_shift_lists where id = ${id}`.execute(trx);
  const place = { table: LISTS, row: id };
  const row = checkedRow(listsSchema, rows[0], place);
  const list = (field: keyof typeof row) => checkedJson(row[field], field, place) as never;
  return { active: list('active'), registered: list('registered'), retired: list('retired') };
}

/** Appends `state` after `tip`; lists are written only when they are not there yet. */
export async function appendStep(trx: AnyTransaction, tip: StoredTip | null, state: MidgardState): Promise<void> {
  const height = (tip?.height ?? -1) + 1;
  const { scheduler } = state;
  const hasSameLists =
    tip !== null &&
    tip.state.active === state.active &&
    tip.state.registered === state.registered &&
    tip.state.retired === state.retired;
  const listsId = hasSameLists ? tip.listsId : await writeLists(trx, state);
  await sql`
    insert into horae_shift_steps (height, operator, shift_start, hub_oracle, lists_id)
    values (${height}, ${scheduler?.operator ?? null}, ${scheduler?.shiftStart ?? null}, ${state.hubOracle ? 1 : 0},
      ${listsId})`.execute(trx);
}

async function writeLists(trx: AnyTransaction, state: MidgardState): Promise<string> {
  const [active, registered, retired] = [state.active, state.registered, state.retired].map((list) =>
    JSON.stringify(list),
  );
  const id = createHash('sha256').update(`${active}${registered}${retired}`).digest('hex');
  const { rows } = await sql`select 1 from horae_shift_lists where id = ${id}`.execute(trx);
  if (rows.length === 0) {
    await sql`
      insert into horae_shift_lists (id, active, registered, retired)
      values (${id}, ${active}, ${registered}, ${retired})`.execute(trx);
  }
  return id;
}

/** The height of the first step that is still kept. */
export async function readLowest(trx: AnyTransaction): Promise<number> {
  const { rows } = await sql<{ lowest: unknown }>`select min(height) as lowest from horae_shift_steps`.execute(trx);
  return checkedRow(lowestSchema, rows[0], { table: STEPS, row: 'the lowest' }).lowest;
}

/** Removes the steps above `height` and the lists that only they have. */
export async function removeAbove(trx: AnyTransaction, height: number): Promise<void> {
  await sql`delete from horae_shift_steps where height > ${height}`.execute(trx);
  await removeUnusedLists(trx);
}

/** Drops the steps below `height` and the lists that only they have. */
export async function removeBelow(trx: AnyTransaction, height: number): Promise<void> {
  await sql`delete from horae_shift_steps where height < ${height}`.execute(trx);
  await removeUnusedLists(trx);
}

async function removeUnusedLists(trx: AnyTransaction): Promise<void> {
  await sql`delete from horae_shift_lists where id not in (select lists_id from horae_shift_steps)`.execute(trx);
}
