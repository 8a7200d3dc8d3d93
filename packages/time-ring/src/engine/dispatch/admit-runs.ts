import type { EpochMs } from '@horae/clock-store';
import type { WaitingReason } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { Dispatch } from './place-run.js';
import { limitsOf, lockLimits, reasonOf, startsSince } from './run-limits.js';

/**
 * Decides, in the transaction that starts runs, which of them have to wait: those of paused groups, and those beyond a limit of their job
 * or group. Limits are locked by name, so that all nodes together observe them.
 */
export async function admitRuns(
  trx: JobTransaction,
  batch: readonly Dispatch[],
  now: EpochMs,
): Promise<ReadonlyMap<Dispatch, WaitingReason>> {
  const refused = new Map<Dispatch, WaitingReason>();
  const names = [...new Set(batch.map(({ run }) => run.job.executorGroup))];
  const groups = new Map((await trx.shareGroups(names)).map((group) => [group.name, group]));
  const isPaused = ({ run }: Dispatch) => (groups.get(run.job.executorGroup)?.pausedAt ?? null) !== null;
  for (const each of batch) if (isPaused(each)) refused.set(each, 'paused');
  const placed = batch.filter((each) => each.kind === 'placed' && !refused.has(each));
  const limitsOfRun = new Map(
    placed.map((each) => [each, limitsOf(each.run.job, groups.get(each.run.job.executorGroup))]),
  );
  const limits = await lockLimits(trx, [...limitsOfRun.values()].flat());
  if (limits.size === 0) return refused;
  const second = Math.floor(now / 1_000);
  for (const each of placed) {
    const own = limitsOfRun.get(each)!.map(({ name }) => limits.get(name)!);
    const reason = own.map((limit) => reasonOf(limit, second)).find((found) => found !== null);
    if (reason !== undefined && reason !== null) refused.set(each, reason);
    else for (const limit of own) limit.started += 1;
  }
  for (const { name, rate, starts, started } of limits.values()) {
    if (rate === null || started === 0) continue;
    await trx.putStarts(name, [...startsSince(starts, rate, second), [second, started]]);
  }
  return refused;
}
