import type { EpochMs } from '@horae/clock-store';
import type { WaitingReason } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { Dispatch } from './place-run.js';
import { isLimited, type Limit, limitsOf, lockLimits, reasonOf, startsSince } from './run-limits.js';

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
  const limitsOfRun = new Map<Dispatch, readonly Limit[]>();
  for (const each of batch) {
    const { job } = each.run;
    const group = groups.get(job.executorGroup);
    if (group !== undefined && group.pausedAt !== null) refused.set(each, 'paused');
    else if (each.kind === 'placed' && isLimited(job, group)) limitsOfRun.set(each, limitsOf(job, group));
  }
  if (limitsOfRun.size === 0) return refused;
  const limits = await lockLimits(trx, [...limitsOfRun.values()].flat());
  const second = Math.floor(now / 1_000);
  for (const [each, wanted] of limitsOfRun) {
    const own = wanted.map(({ name }) => limits.get(name)!);
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
