import type { EpochMs } from '@horae/clock-store';
import type { Job, RateLimit } from '../../model/job.js';
import type { WaitingReason } from '../../model/run.js';
import type { GroupReads, RunScope, StartCounts, StoredGroup } from '../../store/group-store.js';
import type { JobTransaction } from '../../store/job-store.js';

/** The limits of one job or one group, and its current use of them. */
export interface Limit {
  readonly name: string;
  readonly scope: RunScope;
  readonly maxRunning: number | null;
  readonly rate: RateLimit | null;
  running: number;
  starts: StartCounts;
  started: number;
}

/** How many more runs of a job the limits allow to start now. */
export async function limitedRoom(reads: GroupReads, job: Job, now: EpochMs): Promise<number> {
  const [group] = await reads.groups([job.executorGroup]);
  if (group !== undefined && group.pausedAt !== null) return 0;
  let room = Number.MAX_SAFE_INTEGER;
  for (const { scope, name, maxRunning, rate } of limitsOf(job, group)) {
    if (maxRunning !== null) room = Math.min(room, maxRunning - (await reads.countRunning(scope)));
    if (rate !== null)
      room = Math.min(room, rate.limit - sumOf(await reads.starts(name), rate, Math.floor(now / 1_000)));
  }
  return Math.max(0, room);
}

/** Whether any limit applies to the runs of a job. Most jobs have none. */
export function isLimited(job: Job, group: StoredGroup | undefined): boolean {
  return hasLimit(job) || (group !== undefined && hasLimit(group));
}

function hasLimit({ maxRunning, rate }: Pick<Limit, 'maxRunning' | 'rate'>): boolean {
  return maxRunning !== null || rate !== null;
}

/** The limits that apply to the runs of a job. */
export function limitsOf(job: Job, group: StoredGroup | undefined): Limit[] {
  const none = { running: 0, starts: [], started: 0 };
  const { id, maxRunning, rate } = job;
  const limits: Limit[] = [{ name: `job ${id}`, scope: { jobId: id }, maxRunning, rate, ...none }];
  if (group !== undefined) {
    const { name } = group;
    limits.push({
      ...{ name: `group ${name}`, scope: { group: name }, maxRunning: group.maxRunning, rate: group.rate },
      ...none,
    });
  }
  return limits.filter(hasLimit);
}

/** Locks by name, always in the same order, so that no two transactions deadlock. */
export async function lockLimits(trx: JobTransaction, wanted: readonly Limit[]): Promise<ReadonlyMap<string, Limit>> {
  const limits = new Map(wanted.map((limit) => [limit.name, limit]));
  if (limits.size === 0) return limits;
  const held = await trx.lockStarts([...limits.keys()].sort());
  for (const limit of limits.values()) {
    limit.starts = held.get(limit.name) ?? [];
    if (limit.maxRunning !== null) limit.running = await trx.countRunning(limit.scope);
  }
  return limits;
}

/** Why one more run has to wait; null when it may start. */
export function reasonOf({ maxRunning, rate, running, starts, started }: Limit, second: number): WaitingReason | null {
  if (maxRunning !== null && running + started >= maxRunning) return 'slot';
  return rate !== null && sumOf(starts, rate, second) + started >= rate.limit ? 'rate' : null;
}

/** The starts in the seconds that count: the current one and those before it. */
export function startsSince(starts: StartCounts, { perMs }: RateLimit, second: number): StartCounts {
  return starts.filter(([at]) => at > second - perMs / 1_000);
}

function sumOf(starts: StartCounts, rate: RateLimit, second: number): number {
  return startsSince(starts, rate, second).reduce((sum, [, count]) => sum + count, 0);
}
