import { classifyDue } from '../../schedule/classify-due.js';
import type { Ring } from '../../wheel/ring.js';
import { recordMisfires } from '../alerts/run-alerts.js';
import type { RunIntake } from '../dispatch/intake.js';
import { type ActiveRun, type DueRun, newRun, type RingRun, ringRun, rowOf, unfold } from '../node/active-run.js';
import { lockBetweenFires, resumeDelays } from '../node/delayed-jobs.js';
import { insertRuns } from '../node/insert-runs.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';

/** Fires the runs that wait in the ring for this second. Never rejects. */
export type RingDrain = () => Promise<void>;

export function createRingDrain(
  node: RingNode,
  { ring, dueRing, owned, intake }: { ring: Ring<RingRun>; dueRing: Ring<DueRun>; owned: OwnedRuns; intake: RunIntake },
): RingDrain {
  async function drain(): Promise<void> {
    if (node.passWatch.isStuck) return;
    await node.step('drain');
    const now = node.time.now();
    const { due, stale } = ring.drain(now);
    const fired: RingRun[] = [];
    const missed: RingRun[] = [];
    const delayed: DueRun[] = [];
    const isMissed = ({ job }: ActiveRun, dueAt: number) =>
      classifyDue(now, dueAt, node.options.misfireMs) === 'misfire' && job.schedule.kind !== 'once';
    for (const entry of stale.length === 0 ? due : [...stale, ...due]) {
      const runs = isMissed(entry, entry.scheduleTime) ? missed : fired;
      if (entry.shards === undefined) runs.push(entry);
      else runs.push(...unfold(entry));
    }
    intake.accept(fired, now);
    // Retries and delayed runs are executed however late they are; an occurrence delayed by jitter can be missed like any other.
    const later = dueRing.drain(now);
    for (const entry of [...later.stale, ...later.due]) {
      if (entry.row.triggerType === 'schedule' && isMissed(entry, entry.scheduleTime)) missed.push(ringRun(entry));
      else delayed.push(entry);
    }
    intake.accept(delayed, now);
    await skip(missed, now);
  }

  /** Runs that a stall or a clock step has left in the ring for too long count as missed. */
  async function skip(missed: readonly RingRun[], now: number): Promise<void> {
    if (missed.length === 0) return;
    for (const { row } of missed) owned.delete(row);
    const written = await node.store
      .transaction(async (trx) => {
        const waiting = await lockBetweenFires(
          trx,
          missed.map(({ job }) => job.id),
        );
        const ended = await trx.endRuns(missed.map((run) => skipped(run, now)));
        const over = missed.filter(({ row }) => ended.has(row.id));
        const jobs = byJob(over);
        const runs = jobs.flatMap(({ job }) =>
          job.misfire === 'FIRE_ONCE_NOW'
            ? [{ job, run: newRun(job, node.owner, { triggerType: 'misfire', scheduleTime: null, at: now }) }]
            : [],
        );
        const ids = await insertRuns(
          node,
          trx,
          runs.map(({ run }) => run),
        );
        await recordMisfires(
          node.alerts,
          trx,
          jobs.map((missed) => ({ job: missed.job, misfire: misfireOf(missed), at: now })),
        );
        await resumeDelays(trx, waiting, () => now);
        return { over, jobs, runs: runs.map(({ job, run }, i): ActiveRun => ({ job, row: rowOf(run, ids[i]!) })) };
      })
      .catch((error: unknown) => {
        owned.markUncertain();
        throw error;
      });
    for (const run of written.over) node.statistics.ended(run.job, run.row, skipped(run, now));
    for (const missed of written.jobs) {
      node.counters.misfired += 1;
      node.emitter.emit('job-misfired', misfireOf(missed));
      node.log.warn({ jobKey: missed.job.key, ...misfireOf(missed) }, 'Occurrences of a job were missed');
    }
    intake.accept(written.runs, now);
  }

  return async () => {
    try {
      await drain();
    } catch (error) {
      node.log.error({ err: error }, 'The ring could not be drained; it is tried again at the next second');
    }
  };
}

function skipped({ row, scheduleTime }: RingRun, now: number) {
  return {
    id: row.id,
    owner: row.owner!,
    fence: row.fence,
    state: 'skipped',
    code: null,
    message: `Missed: it was ${now - (row.dueAt ?? scheduleTime)} ms late`,
    endedAt: now,
    firedAt: null,
    address: null,
  } as const;
}

function misfireOf({ job, first, last }: ReturnType<typeof byJob>[number]) {
  return { jobId: job.id, strategy: job.misfire, firstMissed: first, lastMissed: last };
}

function byJob(runs: readonly RingRun[]) {
  const jobs = new Map<number, { job: ActiveRun['job']; first: number; last: number }>();
  for (const { job, scheduleTime } of runs) {
    const seen = jobs.get(job.id) ?? { job, first: scheduleTime, last: scheduleTime };
    jobs.set(job.id, {
      job,
      first: Math.min(seen.first, scheduleTime),
      last: Math.max(seen.last, scheduleTime),
    });
  }
  return [...jobs.values()];
}
