import { createHash } from 'node:crypto';
import type { AnyTransaction } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { z } from 'zod';
import { checkState, frozenState, type MidgardState } from './midgard-state.js';

/** The last step as it was stored: its state, and the row that holds its lists. */
export interface StoredTip {
  readonly height: number;
  readonly listsId: string;
  readonly state: MidgardState;
}

const whole = z.coerce.number().int();
const tipSchema = z.object({
  height: whole,
  lists_id: z.string(),
  operator: z.string().nullable(),
  shift_start: z.coerce.number().nullable(),
  hub_oracle: whole,
});
const listsSchema = z.object({ active: z.string(), registered: z.string(), retired: z.string() });

/** The lists that were read last, so that a step that changes none of them does not parse them again. */
export interface ListsCache {
  listsId: string;
  lists: Pick<MidgardState, 'active' | 'registered' | 'retired'>;
}

/** The last step, or null when there is none. What the rows hold is checked like any other state. */
export async function readTip(trx: AnyTransaction, cache: ListsCache | null): Promise<StoredTip | null> {
  const { rows } = await sql`
    select height, operator, shift_start, hub_oracle, lists_id from horae_shift_steps
    order by height desc limit 1`.execute(trx);
  if (rows.length === 0) return null;
  const row = tipSchema.parse(rows[0]);
  const lists = cache?.listsId === row.lists_id ? cache.lists : await readLists(trx, row.lists_id);
  const scheduler = row.operator === null ? null : { operator: row.operator, shiftStart: row.shift_start as number };
  const state = { scheduler, hubOracle: row.hub_oracle === 1, ...lists };
  checkState(state);
  return { height: row.height, listsId: row.lists_id, state: frozenState(state) };
}

async function readLists(trx: AnyTransaction, id: string): Promise<ListsCache['lists']> {
  const { rows } = await sql`select active, registered, retired from horae_shift_lists where id = ${id}`.execute(trx);
  const { active, registered, retired } = listsSchema.parse(rows[0]);
  return { active: JSON.parse(active), registered: JSON.parse(registered), retired: JSON.parse(retired) };
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
  return whole.parse(rows[0]?.lowest);
}

/** Removes the steps above `height` and the lists that only they have. */
export async function removeAbove(trx: AnyTransaction, height: number): Promise<void> {
  await sql`delete from horae_shift_steps where height > ${height}`.execute(trx);
  await removeUnusedLists(trx);
}

/** Forgets the steps below `height` and the lists that only they have. */
export async function removeBelow(trx: AnyTransaction, height: number): Promise<void> {
  await sql`delete from horae_shift_steps where height < ${height}`.execute(trx);
  await removeUnusedLists(trx);
}

async function removeUnusedLists(trx: AnyTransaction): Promise<void> {
  await sql`delete from horae_shift_lists where id not in (select lists_id from horae_shift_steps)`.execute(trx);
}
