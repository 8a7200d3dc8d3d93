import type { Ring } from '../decide/ring.js';
import { type ActiveRun, newRun, type RingRun, rowOf, unfold } from './active-run.js';
import { insertRuns } from './insert-runs.js';
import type { KnownRuns } from './known-runs.js';
import type { RingNode } from './ring-node.js';
import type { RunKeeper } from './run-keeper.js';

/** Fires what waits in the ring for this second. Never rejects. */
export type RingDrain = () => Promise<void>;

export function createRingDrain(
  node: RingNode,
  { ring, known, keeper }: { ring: Ring<RingRun>; known: KnownRuns; keeper: RunKeeper },
): RingDrain {
  async function drain(): Promise<void> {
    await node.step('drain');
    const now = node.time.now();
    const { due, stale } = ring.drain(now);
    const fired: RingRun[] = [];
    const missed: RingRun[] = [];
    for (const entry of stale.length === 0 ? due : [...stale, ...due]) {
      const runs = now - entry.scheduleTime > node.options.misfireMs ? missed : fired;
      if (entry.shards === undefined) runs.push(entry);
      else runs.push(...unfold(entry));
    }
    keeper.accept(fired, now);
    await skip(missed, now);
  }

  /** What a stall or a step of the clock has left in the ring for too long is missed after all. */
  async function skip(missed: readonly RingRun[], now: number): Promise<void> {
    if (missed.length === 0) return;
    for (const { row } of missed) known.delete(row);
    const written = await node.store
      .transaction(async (trx) => {
        const ended = await trx.endRuns(missed.map((run) => skipped(run, now)));
        const jobs = byJob(missed.filter(({ row }) => ended.has(row.id)));
        const runs = jobs.flatMap(({ job }) =>
          job.misfire === 'FIRE_ONCE_NOW'
            ? [{ job, run: newRun(job, node.owner, { triggerType: 'misfire', scheduleTime: null }) }]
            : [],
        );
        const ids = await insertRuns(
          node,
          trx,
          runs.map(({ run }) => run),
        );
        return { jobs, runs: runs.map(({ job, run }, i): ActiveRun => ({ job, row: rowOf(run, ids[i]!) })) };
      })
      .catch((error: unknown) => {
        keeper.doubt();
        throw error;
      });
    for (const { job, first, last } of written.jobs) {
      node.counters.misfired += 1;
      node.emitter.emit('job-misfired', {
        jobId: job.id,
        strategy: job.misfire,
        firstMissed: first,
        lastMissed: last,
      });
    }
    keeper.accept(written.runs, now);
  }

  return async () => {
    try {
      await drain();
    } catch (error) {
      node.log.error({ error }, 'The ring could not be drained; it is tried again at the next second');
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
    message: `Missed: it was ${now - scheduleTime} ms late`,
    endedAt: now,
    firedAt: null,
    address: null,
  } as const;
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
