import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { RunMove } from '../../model/run-transitions.js';
import type { JobTransaction, RunClaim, RunDispatch, RunEnd } from '../job-store.js';
import { type BatchColumn, forUpdate, idIn, type RowBatch, rowBatch, rowChunks, rowValues } from './sql-row-batch.js';
import { insertRuns } from './sql-run-inserts.js';
import { claimColumns, runMoves, type SqlMove } from './sql-run-moves.js';
import { storedJson, storedText, storedTextOrNull } from './sql-stored-text.js';

type RunVerbs =
  | 'insertRuns'
  | 'dispatchRuns'
  | 'startRuns'
  | 'writeProgress'
  | 'endRuns'
  | 'assignRemote'
  | 'keepResults'
  | 'parkRuns'
  | 'spreadRuns'
  | 'postponeRuns'
  | 'handOver'
  | 'handBack'
  | 'appendLog';

const logColumns: readonly BatchColumn[] = [
  { name: 'run_id', kind: 'id' },
  { name: 'line', kind: 'integer' },
  { name: 'text', kind: 'text' },
];

const handoverColumns: readonly BatchColumn[] = [
  { name: 'run_id', kind: 'id' },
  { name: 'owner', kind: 'key' },
];

/** The operations that change runs, thousands at a time. */
export function runWrites(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, RunVerbs> {
  async function move<C extends RunClaim>(
    how: RunMove,
    claims: readonly C[],
    pack: (claim: C) => readonly unknown[] = ({ id, owner, fence }) => [id, owner, fence],
  ) {
    const moved = new Set<number>();
    for (const rows of rowChunks(ascending(claims).map(pack))) {
      for (const id of await changes[dialect](db, runMoves[how], rows)) moved.add(id);
    }
    return moved;
  }

  return {
    insertRuns: (runs) => insertRuns(db, dialect, runs),
    dispatchRuns: (fires) => move('fire', fires, packFire),
    startRuns: (starts) => move('start', starts, (run) => [run.id, run.owner, run.fence, run.startedAt]),
    writeProgress: (reports) =>
      move('progress', reports, (run) => [run.id, run.owner, run.fence, storedJson(run.progress)]),
    endRuns: (ends) => move('end', ends, packEnd),
    assignRemote: (assignments) =>
      move('assign', assignments, (run) => [run.id, run.owner, run.fence, run.startedAt, run.deadlineAt]),
    keepResults: (results) =>
      move('keepResult', results, (run) => [
        run.id,
        run.owner,
        run.fence,
        run.code,
        storedTextOrNull(run.message),
        run.deadlineAt,
      ]),
    spreadRuns: (spreads) =>
      move('spread', spreads, (run) => [run.id, run.owner, run.fence, run.shardTotal, run.firedAt]),
    parkRuns: (parkings) =>
      move('park', parkings, (run) => [run.id, run.owner, run.fence, run.waitingFor, run.deadlineAt]),
    postponeRuns: (postponements) =>
      move('postpone', postponements, ({ id, owner, fence, dueAt }) => [id, owner, fence, dueAt, dueAt, dueAt]),
    async handOver(handovers) {
      const moved = await move('handOver', handovers, (run) => [
        run.id,
        run.owner,
        run.fence,
        run.to,
        storedText(run.address),
      ]);
      const notes = ascending(handovers).filter(({ id }) => moved.has(id));
      for (const rows of rowChunks(notes.map(({ id, to }) => [id, to]))) await noteHandovers(dialect, rows).execute(db);
      return moved;
    },
    async handBack(claims) {
      await move('handBack', claims);
    },
    async appendLog(lines) {
      const rows = lines.map(({ runId, line, text }) => [runId, line, storedText(text)]);
      for (const chunk of rowChunks(rows)) await appendLog(dialect, chunk).execute(db);
    },
  };
}

type Rows = readonly (readonly unknown[])[];

/** Sorts by id, so that no two transactions lock the same rows in opposite orders; of several claims to a run the first applies. */
function ascending<C extends RunClaim>(claims: readonly C[]): readonly C[] {
  if (claims.every(({ id }, i) => i === 0 || claims[i - 1]!.id < id)) return claims;
  const byId = new Map<number, C>();
  for (const claim of claims) if (!byId.has(claim.id)) byId.set(claim.id, claim);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** A move as its row: claim first, then the values that it sets. Without a spread: they come by thousands, in the first busy second too. */
function packFire(run: RunDispatch): readonly unknown[] {
  return [run.id, run.owner, run.fence, run.state, storedText(run.address), run.shardTotal, run.firedAt, run.startedAt];
}

function packEnd(end: RunEnd): readonly unknown[] {
  return [
    end.id,
    end.owner,
    end.fence,
    end.state,
    end.code,
    storedTextOrNull(end.message),
    storedJson(end.result),
    storedJson(end.error),
    storedJson(end.progress),
    end.endedAt,
    end.firedAt,
    storedTextOrNull(end.address),
  ];
}

/** A run that was handed over before and came back is noted again. */
function noteHandovers(dialect: Dialect, rows: Rows): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, handoverColumns, rows);
  const conflict =
    dialect === 'mysql'
      ? sql`on duplicate key update owner = values(owner)`
      : sql`where true on conflict (run_id) do update set owner = excluded.owner`;
  return sql`
    insert into horae_ring_handovers (run_id, owner) select ${value('run_id')}, ${value('owner')} from ${source} ${conflict}`;
}

/** Changes rows and returns the ids of those that changed. */
type Change = (db: AnyKysely, what: SqlMove, rows: Rows) => Promise<readonly number[]>;

const changes: Readonly<Record<Dialect, Change>> = {
  sqlite: (db, what, rows) => changeReturning(db, 'sqlite', what, rows),
  postgres: changeOnPostgres,
  mysql: changeOnMysql,
};

async function changeReturning(
  db: AnyKysely,
  dialect: 'sqlite' | 'postgres',
  what: SqlMove,
  rows: Rows,
): Promise<readonly number[]> {
  const update = rows.length === 1 ? updateOne(dialect, what, rows[0]!) : updateOf(dialect, what, rows);
  return (await update.execute(db)).rows.map(({ id }) => id);
}

/** Nearly always all rows change: the server returns their ids only when some do not. */
async function changeOnPostgres(db: AnyKysely, what: SqlMove, rows: Rows): Promise<readonly number[]> {
  if (rows.length === 1) return changeReturning(db, 'postgres', what, rows);
  const { rows: counted } = await sql<{ ids: number[] | null; count: number }>`
    with changed as (${updateOf('postgres', what, rows)})
    select count(*) as count, case when count(*) < ${rows.length}::bigint then json_agg(id) end as ids from changed`.execute(
    db,
  );
  const { count, ids } = counted[0]!;
  return count === rows.length ? rows.map(([id]) => id as number) : (ids ?? []);
}

/**
 * Updates the claimed rows, found by their ids. The function around the owner hides the index of open runs, by which databases would read
 * every open run per batch: a concatenation does not, since SQLite with statistics takes its comparison for "is not null". The range, in
 * which the ids of a batch mostly lie side by side, keeps PostgreSQL from reading the whole table.
 */
export function updateOf(dialect: 'sqlite' | 'postgres', what: SqlMove, rows: Rows): RawBuilder<{ id: number }> {
  const { source, value } = rowBatch(dialect, [...claimColumns, ...what.given], rows);
  return sql`
    update horae_ring_runs set ${assignments(what.set(value, 'horae_ring_runs.'), '')} from ${source}
    where horae_ring_runs.id = v.id${dialect === 'postgres' ? idRange(rows) : sql``}
      and ${isClaimed(value)} and ${inStates(what)} returning horae_ring_runs.id`;
}

function updateOne(dialect: Dialect, what: SqlMove, row: Rows[number]): RawBuilder<{ id: number }> {
  const value = rowValues(dialect, [...claimColumns, ...what.given], row);
  return sql`
    update horae_ring_runs set ${assignments(what.set(value, 'horae_ring_runs.'), '')}
    where horae_ring_runs.id = ${value('id')} and ${isClaimed(value)} and ${inStates(what)} returning horae_ring_runs.id`;
}

function isClaimed(value: RowBatch['value']): RawBuilder<boolean> {
  return sql`coalesce(horae_ring_runs.owner, '@over') = ${value('owner')} and horae_ring_runs.fence = ${value('fence')}`;
}

/** The rows are ascending by id. */
function idRange(rows: Rows): RawBuilder<boolean> {
  return sql` and horae_ring_runs.id between ${rows[0]![0]} and ${rows.at(-1)![0]}`;
}

/** Without "returning" the rows are locked and read first; their owner cannot change after that. */
async function changeOnMysql(db: AnyKysely, what: SqlMove, rows: Rows): Promise<number[]> {
  const ids = rows.map(([id]) => id as number);
  const { rows: held } = await sql<{ id: number; owner: string; fence: number }>`
    select id, owner, fence from horae_ring_runs
    where ${idIn('mysql', 'id', ids)} and ${inStates(what)} order by id ${forUpdate('mysql')}`.execute(db);
  const standing = new Map(held.map((row) => [row.id, row]));
  const valid = rows.filter(([id, owner, fence]) => {
    const row = standing.get(id as number);
    return row !== undefined && row.owner === owner && row.fence === fence;
  });
  if (valid.length === 0) return [];
  const { source, value } = rowBatch('mysql', [...claimColumns, ...what.given], valid);
  // The rows come first in the join, whatever the server's statistics: reading the whole table would lock other runs and deadlock.
  await sql`
    update ${source} straight_join horae_ring_runs on horae_ring_runs.id = v.id set
      ${assignments(what.set(value, 'horae_ring_runs.'), 'horae_ring_runs.')}`.execute(db);
  return valid.map(([id]) => id as number);
}

/** MySQL requires the table prefix of a column; the others reject it. */
function assignments(set: Readonly<Record<string, RawBuilder<unknown>>>, prefix: string): RawBuilder<unknown> {
  return sql.join(Object.entries(set).map(([name, value]) => sql`${sql.raw(prefix + name)} = ${value}`));
}

function inStates({ states }: SqlMove): RawBuilder<boolean> {
  return sql`horae_ring_runs.state in (${sql.join(states.map((state) => sql.lit(state)))})`;
}

/** Overwrites an existing line: it was sent twice. */
function appendLog(dialect: Dialect, rows: Rows): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, logColumns, rows);
  const values = sql.join(logColumns.map(({ name }) => value(name)));
  const conflict =
    dialect === 'mysql'
      ? sql`on duplicate key update text = values(text)`
      : sql`where true on conflict (run_id, line) do update set text = excluded.text`;
  return sql`insert into horae_ring_logs (run_id, line, text) select ${values} from ${source} ${conflict}`;
}
