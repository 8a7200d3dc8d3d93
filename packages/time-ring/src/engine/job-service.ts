import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '@horae/clock-store';
import { z } from 'zod';
import { pageOf, readPage } from '../decide/page.js';
import { parseChange, parseJob } from '../decide/parse-job.js';
import { occurrencesIn } from '../decide/range-occurrences.js';
import { timetableOf } from '../decide/timetable.js';
import type { Job, JobInput, Schedule } from '../job.js';
import { publicRun, type Run, type RunRow } from '../run.js';
import type { JobTransaction, NewRun } from '../store/job-store.js';
import { TimeRingError } from '../time-ring-error.js';
import type { Jobs } from '../time-ring-interface.js';
import { type ActiveRun, newRun, rowOf } from './active-run.js';
import { checkChildren } from './check-children.js';
import type { ExecutorRegistry } from './executor-registry.js';
import { insertRuns } from './insert-runs.js';
import type { RingNode } from './ring-node.js';
import type { RunKeeper } from './run-keeper.js';

/** The jobs of a ring. Every change is one transaction, with the job held; events come after it. */
export function createJobService(node: RingNode, keeper: RunKeeper, registry: ExecutorRegistry): Jobs {
  const { store, emitter, time } = node;

  async function add({ start = false, ...input }: JobInput & { start?: boolean }): Promise<Job> {
    if (typeof start !== 'boolean') throw badJob('start', start, 'true or false');
    const settings = parseJob(input);
    if (start && settings.schedule.kind === 'none') throw notSchedulable(settings.schedule);
    const job = await store.transaction(async (trx) => {
      const at = await time.read(trx);
      if (settings.children.length > 0) await checkChildren(trx, null, settings.children);
      const added = await trx.insertJob(settings, at);
      if (!start) return added;
      const started = begun(added, at, node.options.zone);
      await trx.putJob(started);
      return started;
    });
    emitter.emit('job-added', { job });
    if (job.state === 'RUNNING') emitter.emit('job-started', { job });
    return job;
  }

  async function update(id: number, change: Partial<JobInput>): Promise<Job> {
    const { before, after } = await changeJob(id, async (job, trx, at) => {
      const settings = parseChange(change, settingsOf(job));
      if (change.children !== undefined) await checkChildren(trx, id, settings.children);
      const changed: Job = { ...job, ...settings, updatedAt: at };
      if (isDeepStrictEqual(settings.schedule, job.schedule)) return changed;
      await trx.withdrawRuns(id);
      return job.state === 'RUNNING' ? begun(changed, at, node.options.zone) : changed;
    });
    if (!isDeepStrictEqual(before.schedule, after.schedule)) keeper.withdraw(id);
    emitter.emit('job-updated', { job: after });
    if (before.state !== after.state) emitter.emit('job-stopped', { job: after });
    return after;
  }

  async function start(id: number): Promise<Job> {
    const { before, after } = await changeJob(id, async (job, _trx, at) => {
      if (job.state === 'RUNNING') return job;
      if (job.schedule.kind === 'none') throw notSchedulable(job.schedule);
      return begun({ ...job, updatedAt: at }, at, node.options.zone);
    });
    if (before.state !== after.state) emitter.emit('job-started', { job: after });
    return after;
  }

  async function stop(id: number): Promise<Job> {
    const { before, after } = await changeJob(id, async (job, trx, at) => {
      await trx.withdrawRuns(id);
      if (job.state === 'STOPPED') return job;
      const stopReason = { code: 'user', message: 'Stopped by a user' } as const;
      return { ...job, state: 'STOPPED', stopReason, nextAt: null, updatedAt: at };
    });
    keeper.withdraw(id);
    if (before.state !== after.state) emitter.emit('job-stopped', { job: after });
    return after;
  }

  async function remove(id: number): Promise<void> {
    await store.transaction(async (trx) => {
      await holdJob(trx, id);
      await trx.withdrawRuns(id);
      await trx.deleteJob(id);
    });
    keeper.withdraw(id);
    emitter.emit('job-removed', { jobId: id });
  }

  async function changeJob(
    id: number,
    change: (job: Job, trx: JobTransaction, at: EpochMs) => Promise<Job>,
  ): Promise<{ before: Job; after: Job }> {
    return store.transaction(async (trx) => {
      const before = await holdJob(trx, id);
      const after = await change(before, trx, await time.read(trx));
      if (after !== before) await trx.putJob(after);
      return { before, after };
    });
  }

  const trigger: Jobs['trigger'] = async (id, options = {}) => {
    const { params, scheduleTime, address } = readTrigger(options);
    const [run] = await insert(id, async (job) => {
      const what = { triggerType: 'manual', scheduleTime: scheduleTime ?? null, params } as const;
      if (address !== undefined) return [newRun(job, node.owner, { ...what, fixedAddress: address })];
      if (job.route !== 'SHARDING_BROADCAST') return [newRun(job, node.owner, what)];
      const { length } = await registry.addresses(job.executorGroup);
      return [newRun(job, node.owner, { ...what, shardTotal: Math.max(1, length) })];
    });
    return run!;
  };

  const triggerRange: Jobs['triggerRange'] = async (id, options) => {
    let truncated = false;
    const runs = await insert(id, async (job) => {
      if (job.schedule.kind === 'none') throw notSchedulable(job.schedule);
      const occurrences = occurrencesIn(job.schedule, node.options.zone, options);
      truncated = occurrences.truncated;
      return occurrences.times.map((scheduleTime) => newRun(job, node.owner, { triggerType: 'manual', scheduleTime }));
    });
    return { runs, truncated };
  };

  /** Writes runs of a job, and the shards of those that are spread over several executors. The first shards are given. */
  async function insert(id: number, plan: (job: Job) => Promise<NewRun[]>): Promise<Run[]> {
    checkId(id);
    const job = await store.job(id);
    if (job === null) throw unknownJob(id);
    const planned = await plan(job);
    const rows = await store
      .transaction(async (trx) => {
        const ids = await insertRuns(node, trx, planned);
        const first = planned.map((run, i) => rowOf(run, ids[i]!));
        return [...first, ...(await insertShards(trx, first, job, node.owner))];
      })
      .catch((error: unknown) => {
        keeper.doubt();
        throw error;
      });
    keeper.accept(
      rows.map((row): ActiveRun => ({ job, row })),
      time.now(),
    );
    return rows.slice(0, planned.length).map(publicRun);
  }

  return {
    add,
    update,
    start,
    stop,
    remove,
    trigger,
    triggerRange,
    get: async (id) => (isId(id) ? store.job(id) : null),
    async list({ state, executorGroup, ...page } = {}) {
      if (state !== undefined && state !== 'RUNNING' && state !== 'STOPPED') {
        throw new TimeRingError('bad-option', `state must be RUNNING or STOPPED; got ${String(state)}`, {
          field: 'state',
          value: state,
        });
      }
      const { limit, cursor } = readPage(page, 1_000);
      const { items, cursor: next } = pageOf(
        await store.jobs({ state, executorGroup, limit: limit + 1, afterId: cursor ?? 0 }),
        limit,
      );
      return { jobs: items, cursor: next };
    },
  };
}

async function insertShards(trx: JobTransaction, first: readonly RunRow[], job: Job, owner: string): Promise<RunRow[]> {
  const shards = first.flatMap((row) =>
    Array.from({ length: row.shardTotal - 1 }, (_, i) =>
      newRun(job, owner, {
        triggerType: row.triggerType,
        scheduleTime: row.scheduleTime,
        params: row.params,
        fireId: row.id,
        shardIndex: i + 1,
        shardTotal: row.shardTotal,
      }),
    ),
  );
  const ids = await trx.insertRuns(shards);
  return shards.map((shard, i) => rowOf(shard, ids[i]!));
}

/** The job as it is after a start: at its first occurrence after `at`, or stopped because there is none. */
function begun(job: Job, at: EpochMs, zone: string): Job {
  const nextAt = timetableOf(job.schedule, zone, at).next(at);
  if (nextAt !== null) return { ...job, state: 'RUNNING', stopReason: null, nextAt };
  const stopReason = { code: 'no-next-time', message: 'The schedule has no time left' } as const;
  return { ...job, state: 'STOPPED', stopReason, nextAt: null };
}

function settingsOf(job: Job): Required<JobInput> {
  const { id, state, stopReason, lastAt, nextAt, createdAt, updatedAt, ...settings } = job;
  return settings;
}

async function holdJob(trx: JobTransaction, id: number): Promise<Job> {
  checkId(id);
  const job = await trx.holdJob(id);
  if (job === null) throw unknownJob(id);
  return job;
}

const triggerShape = z.strictObject({
  params: z.json().optional(),
  scheduleTime: z.number().int().optional(),
  address: z.string().min(1).max(255).optional(),
});

function readTrigger(options: unknown) {
  const read = triggerShape.safeParse(options);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw badJob(issue!.path.join('.') || 'options', options, issue!.message);
}

function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) > 0;
}

function checkId(id: unknown): void {
  if (!isId(id)) throw unknownJob(id);
}

function unknownJob(id: unknown): TimeRingError {
  return new TimeRingError('unknown-job', `There is no job ${String(id)}; jobs.list shows those there are`, {
    field: 'id',
    value: id,
  });
}

function notSchedulable(schedule: Schedule): TimeRingError {
  return new TimeRingError(
    'not-schedulable',
    "A job of kind 'none' has no times: give it a schedule, or run it with jobs.trigger",
    { field: 'schedule', value: schedule },
  );
}

function badJob(field: string, value: unknown, wanted: string): TimeRingError {
  return new TimeRingError('bad-job', `${field}: ${wanted}`, { field, value });
}
