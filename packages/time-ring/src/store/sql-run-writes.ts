import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { REMOTE, UNOWNED } from '../run.js';
import type { JobTransaction, RunClaim, RunEnd, RunFire } from './job-store.js';
import { type BatchColumn, forUpdate, idIn, rowBatch, rowChunks } from './sql-row-batch.js';
import { insertRuns } from './sql-run-inserts.js';
import { storedText, storedTextOrNull } from './sql-stored-text.js';

type RunVerbs = 'insertRuns' | 'fireRuns' | 'startRuns' | 'endRuns' | 'assignRemote' | 'handBack' | 'appendLog';

/** A change of many runs at once, which counts for those that are still the claimant's and in one of the states. */
interface RunChange {
  readonly states: readonly string[];
  /** The columns of the rows after id, owner and fence. */
  readonly columns: readonly BatchColumn[];
  /** What a column is set to, given how a value of the rows is written. */
  set(value: (column: string) => RawBuilder<unknown>): Readonly<Record<string, RawBuilder<unknown>>>;
}

const claimColumns: readonly BatchColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'owner', kind: 'key' },
  { name: 'fence', kind: 'integer' },
];

const firing: RunChange = {
  states: ['pending'],
  columns: [
    { name: 'state', kind: 'key' },
    { name: 'address', kind: 'text' },
    { name: 'shard_total', kind: 'integer' },
    { name: 'fired_at', kind: 'number' },
    { name: 'started_at', kind: 'number' },
  ],
  set: (value) => ({
    state: value('state'),
    address: value('address'),
    shard_total: value('shard_total'),
    fired_at: value('fired_at'),
    started_at: value('started_at'),
  }),
};

const starting: RunChange = {
  states: ['queued'],
  columns: [{ name: 'started_at', kind: 'number' }],
  set: (value) => ({ state: sql.lit('running'), started_at: value('started_at') }),
};

const ending: RunChange = {
  states: ['pending', 'queued', 'running'],
  columns: [
    { name: 'state', kind: 'key' },
    { name: 'code', kind: 'number' },
    { name: 'message', kind: 'text' },
    { name: 'ended_at', kind: 'number' },
    { name: 'fired_at', kind: 'number' },
    { name: 'address', kind: 'text' },
  ],
  set: (value) => ({
    state: value('state'),
    code: value('code'),
    message: value('message'),
    ended_at: value('ended_at'),
    owner: sql.lit(null),
    deadline_at: sql.lit(null),
    fired_at: sql`coalesce(${value('fired_at')}, horae_ring_runs.fired_at)`,
    address: sql`coalesce(${value('address')}, horae_ring_runs.address)`,
  }),
};

const assigning: RunChange = {
  states: ['pending', 'queued', 'running'],
  columns: [
    { name: 'started_at', kind: 'number' },
    { name: 'deadline_at', kind: 'number' },
  ],
  set: (value) => ({
    state: sql.lit('running'),
    owner: sql.lit(REMOTE),
    started_at: value('started_at'),
    deadline_at: value('deadline_at'),
  }),
};

const handingBack: RunChange = {
  states: ['pending', 'queued', 'running'],
  columns: [],
  set: () => ({
    state: sql.lit('pending'),
    owner: sql.lit(UNOWNED),
    address: sql.ref('horae_ring_runs.fixed_address'),
    started_at: sql.lit(null),
  }),
};

const logColumns: readonly BatchColumn[] = [
  { name: 'run_id', kind: 'id' },
  { name: 'line', kind: 'integer' },
  { name: 'text', kind: 'text' },
];

/** What happens to runs, thousands at a time. */
export function runWrites(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, RunVerbs> {
  async function change<C extends RunClaim>(
    what: RunChange,
    claims: readonly C[],
    pack: (claim: C) => readonly unknown[],
  ) {
    const changed = new Set<number>();
    for (const rows of rowChunks(ascending(claims).map(pack))) {
      for (const id of await changes[dialect](db, what, rows)) changed.add(id);
    }
    return changed;
  }

  return {
    insertRuns: (runs) => insertRuns(db, dialect, runs),
    fireRuns: (fires) => change(firing, fires, packFire),
    startRuns: (starts) => change(starting, starts, ({ id, owner, fence, startedAt }) => [id, owner, fence, startedAt]),
    endRuns: (ends) => change(ending, ends, packEnd),
    assignRemote: (assignments) =>
      change(assigning, assignments, (run) => [run.id, run.owner, run.fence, run.startedAt, run.deadlineAt]),
    async handBack(claims) {
      await change(handingBack, claims, ({ id, owner, fence }) => [id, owner, fence]);
    },
    async appendLog(lines) {
      const rows = lines.map(({ runId, line, text }) => [runId, line, storedText(text)]);
      for (const chunk of rowChunks(rows)) await appendLog(dialect, chunk).execute(db);
    },
  };
}

type Rows = readonly (readonly unknown[])[];

/** By id, so that no two transactions lock the same rows in opposite orders; of several claims to a run the first counts. */
function ascending<C extends RunClaim>(claims: readonly C[]): readonly C[] {
  if (claims.every(({ id }, i) => i === 0 || claims[i - 1]!.id < id)) return claims;
  const byId = new Map<number, C>();
  for (const claim of claims) if (!byId.has(claim.id)) byId.set(claim.id, claim);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

function packFire({ id, owner, fence, state, address, shardTotal, firedAt, startedAt }: RunFire): readonly unknown[] {
  return [id, owner, fence, state, storedText(address), shardTotal, firedAt, startedAt];
}

function packEnd({ id, owner, fence, state, code, message, endedAt, firedAt, address }: RunEnd): readonly unknown[] {
  return [id, owner, fence, state, code, storedTextOrNull(message), endedAt, firedAt, storedTextOrNull(address)];
}

/** Changes rows and gives the ids of those that were. */
type Change = (db: AnyKysely, what: RunChange, rows: Rows) => Promise<readonly number[]>;

const changes: Readonly<Record<Dialect, Change>> = {
  sqlite: changeOnSqlite,
  postgres: changeOnPostgres,
  mysql: changeOnMysql,
};

async function changeOnSqlite(db: AnyKysely, what: RunChange, rows: Rows): Promise<readonly number[]> {
  const { rows: changed } = await updateOf('sqlite', what, rows).execute(db);
  return changed.map(({ id }) => id);
}

/** Nearly always all rows are changed: their ids are sent back only when they are not. */
async function changeOnPostgres(db: AnyKysely, what: RunChange, rows: Rows): Promise<readonly number[]> {
  const { rows: counted } = await sql<{ ids: number[] | null; count: number }>`
    with changed as (${updateOf('postgres', what, rows)})
    select count(*) as count, case when count(*) < ${rows.length}::bigint then json_agg(id) end as ids from changed`.execute(
    db,
  );
  const { count, ids } = counted[0]!;
  return count === rows.length ? rows.map(([id]) => id as number) : (ids ?? []);
}

/**
 * The concatenation keeps databases from the index of owners, by which they would read every open run for each batch; the range, in which
 * the ids of a batch mostly lie side by side, keeps PostgreSQL from reading the whole table.
 */
function updateOf(dialect: 'sqlite' | 'postgres', what: RunChange, rows: Rows): RawBuilder<{ id: number }> {
  const { source, value } = rowBatch(dialect, [...claimColumns, ...what.columns], rows);
  return sql`
    update horae_ring_runs set ${assignments(what.set(value), '')} from ${source}
    where horae_ring_runs.id = v.id${dialect === 'postgres' ? idRange(rows) : sql``}
      and horae_ring_runs.owner || '' = ${value('owner')}
      and horae_ring_runs.fence = ${value('fence')} and ${inStates(what)}
    returning horae_ring_runs.id`;
}

/** The rows are ascending by id. */
function idRange(rows: Rows): RawBuilder<boolean> {
  return sql` and horae_ring_runs.id between ${rows[0]![0]} and ${rows.at(-1)![0]}`;
}

/** Without "returning" the rows are held and read first; whose they are cannot change after that. */
async function changeOnMysql(db: AnyKysely, what: RunChange, rows: Rows): Promise<number[]> {
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
  const { source, value } = rowBatch('mysql', [...claimColumns, ...what.columns], valid);
  await sql`
    update horae_ring_runs join ${source} on horae_ring_runs.id = v.id set
      ${assignments(what.set(value), 'horae_ring_runs.')}`.execute(db);
  return valid.map(([id]) => id as number);
}

/** MySQL wants to know which table a column is of; the others do not want to hear it. */
function assignments(set: Readonly<Record<string, RawBuilder<unknown>>>, prefix: string): RawBuilder<unknown> {
  return sql.join(Object.entries(set).map(([name, value]) => sql`${sql.raw(prefix + name)} = ${value}`));
}

function inStates({ states }: RunChange): RawBuilder<boolean> {
  return sql`horae_ring_runs.state in (${sql.join(states.map((state) => sql.lit(state)))})`;
}

/** A line that is there is written over: it was sent twice. */
function appendLog(dialect: Dialect, rows: Rows): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, logColumns, rows);
  const values = sql.join(logColumns.map(({ name }) => value(name)));
  const conflict =
    dialect === 'mysql'
      ? sql`on duplicate key update text = values(text)`
      : sql`where true on conflict (run_id, line) do update set text = excluded.text`;
  return sql`insert into horae_ring_logs (run_id, line, text) select ${values} from ${source} ${conflict}`;
}
