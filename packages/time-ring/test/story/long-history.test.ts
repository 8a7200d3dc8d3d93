import { systemClock } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connectTimeRing, type Run, type Runs } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';

/** `HORAE_ROWS=1000000` makes as many runs, and wants every list within 20 ms. */
const ROWS = Number(process.env.HORAE_ROWS ?? 20_000);
const isTimed = process.env.HORAE_ROWS !== undefined;
const MAX_MS = 20;
const FIRST_AT = 1_700_000_000_000;
const clock = systemClock();

/** A history: nearly all succeeded and by schedule, a few of everything else among the oldest. */
async function writeHistory(database: HoraeDatabase): Promise<void> {
  const numbers =
    database.dialect === 'postgres'
      ? sql`select n from generate_series(1, ${sql.lit(ROWS)}) as g(n)`
      : database.dialect === 'mysql'
        ? sql`select seq as n from ${sql.raw(`seq_1_to_${ROWS}`)}`
        : sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)}) select n from numbers`;
  const oneOf = (shift: number, rare: string, common: string) =>
    sql.raw(`case when n < 100 and n % 10 = ${shift} then ${rare} else ${common} end`);
  await sql`
    insert into horae_ring_runs (job_id, schedule_time, fired_at, started_at, ended_at, code, key_job, key_at, attempt, shard_index,
      shard_total, fence, bucket, trigger_type, state, owner, address, ready_at)
    select n % 100 + 1, ${sql.raw(`${FIRST_AT} + n * 1000`)}, 1, 1, 2, 200,
      ${oneOf(3, 'null', 'n % 100 + 1')}, ${oneOf(3, 'null', `${FIRST_AT} + n * 1000`)}, 1, 0, 1, 1, 0,
      ${oneOf(3, "'manual'", "'schedule'")},
      ${sql.raw("case when n < 100 and n % 10 = 4 then 'failed' when n < 100 and n % 10 = 5 then 'killed' when n < 100 and n % 10 = 6 then 'skipped' when n < 100 and n % 10 = 7 then 'pending' else 'succeeded' end")},
      ${oneOf(7, "'@waiting'", 'null')}, 'a', 1
    from (${numbers}) as numbers`.execute(database.kysely);
  if (database.dialect === 'postgres') await sql`analyze horae_ring_runs`.execute(database.kysely);
}

const at = (n: number) => FIRST_AT + n * 1_000;
const lists: readonly {
  filter: NonNullable<Parameters<Runs['list']>[0]>;
  isWanted(run: Run): boolean;
  count: number;
}[] = [
  ...(['failed', 'killed', 'skipped', 'pending'] as const).map((state) => ({
    filter: { state },
    isWanted: (run: Run) => run.state === state,
    count: 10,
  })),
  { filter: { state: 'succeeded' }, isWanted: ({ state }) => state === 'succeeded', count: 20 },
  { filter: { triggerType: 'manual' }, isWanted: ({ triggerType }) => triggerType === 'manual', count: 10 },
  { filter: { triggerType: 'schedule' }, isWanted: ({ triggerType }) => triggerType === 'schedule', count: 20 },
  { filter: { triggerType: 'retry' }, isWanted: () => false, count: 0 },
  { filter: { jobId: 7 }, isWanted: ({ jobId }) => jobId === 7, count: 20 },
  { filter: { from: at(1), to: at(15) }, isWanted: ({ scheduleTime }) => scheduleTime! < at(15), count: 14 },
  { filter: { from: at(ROWS - 4) }, isWanted: ({ scheduleTime }) => scheduleTime! >= at(ROWS - 4), count: 5 },
  { filter: { from: at(2) }, isWanted: () => true, count: 20 },
  { filter: { to: at(3) }, isWanted: ({ scheduleTime }) => scheduleTime! < at(3), count: 2 },
  { filter: { fireId: 50 }, isWanted: ({ fireId }) => fireId === 50, count: 1 },
];

onEveryDatabase(() => {
  test('point 24: lists of a long history with any one filter are right, and quick', { timeout: 600_000 }, async () => {
    const database = await openDatabase(networkPlace().database, { statementTimeoutMs: 300_000 });
    onTestFinished(() => database.close());
    const client = await connectTimeRing({ database });
    await writeHistory(database);
    for (const { filter, isWanted, count } of lists) {
      const list = () => client.runs.list({ ...filter, limit: 20 });
      const { runs } = await list();
      expect(runs.filter((run) => !isWanted(run))).toEqual([]);
      expect({ filter, found: runs.length }).toEqual({ filter, found: count });
      expect(runs.map(({ id }) => id)).toEqual(runs.map(({ id }) => id).sort((a, b) => b - a));
      const tries: number[] = [];
      for (let again = 0; again < 5; again++) {
        const began = clock.monotonicMs();
        await list();
        tries.push(clock.monotonicMs() - began);
      }
      if (!isTimed) continue;
      const quickest = Math.min(...tries);
      console.info(`${database.dialect}, ${ROWS} runs, ${JSON.stringify(filter)}: ${quickest.toFixed(1)} ms`);
      expect.soft({ filter, isQuick: quickest < MAX_MS, quickest }).toMatchObject({ isQuick: true });
    }
  });
}, ['lock-row']);
