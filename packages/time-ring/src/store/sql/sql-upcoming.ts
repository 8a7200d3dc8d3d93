import type { EpochMs } from '@horae/clock-store';
import type { AnyKysely } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { DELAYED } from '../../model/run.js';
import type { Upcoming } from '../upcoming.js';

interface UpcomingRow {
  readonly job_at: number | string | null;
  readonly delayed_at: number | string | null;
  readonly alert_at: number | string | null;
  readonly open_runs: unknown;
  readonly remote_executors: unknown;
  readonly waiting_jobs: unknown;
}

/** The future work in the database, read in one statement. */
export async function upcoming(db: AnyKysely): Promise<Upcoming> {
  const delayed = sql.lit(DELAYED);
  const { rows } = await sql<UpcomingRow>`
    select
      (select min(next_at) from horae_ring_jobs where state = 'RUNNING') as job_at,
      (select min(deadline_at) from horae_ring_runs where owner = ${delayed}) as delayed_at,
      (select min(due_at) from horae_ring_alerts) as alert_at,
      exists (select 1 from horae_ring_runs where owner is not null and owner <> ${delayed}) as open_runs,
      exists (select 1 from horae_ring_executors where node_owner is null) as remote_executors,
      exists (select 1 from horae_ring_jobs where state = 'RUNNING' and next_at is null) as waiting_jobs`.execute(db);
  const { job_at, delayed_at, alert_at, open_runs, remote_executors, waiting_jobs } = rows[0]!;
  return {
    jobAt: timeOf(job_at),
    delayedAt: timeOf(delayed_at),
    alertAt: timeOf(alert_at),
    isBusy: [open_runs, remote_executors, waiting_jobs].some(Boolean),
  };
}

/** The earliest end of all ended runs and flows. Reads every run. */
export async function oldestEnd(db: AnyKysely): Promise<EpochMs | null> {
  const { rows } = await sql<{ ended_at: number | string | null }>`
    select min(ended_at) as ended_at from horae_ring_runs union all
    select min(ended_at) as ended_at from horae_ring_flows`.execute(db);
  const times = rows.flatMap(({ ended_at }) => timeOf(ended_at) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

function timeOf(value: number | string | null): EpochMs | null {
  return value === null ? null : Number(value);
}
