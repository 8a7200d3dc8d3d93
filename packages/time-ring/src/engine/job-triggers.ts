import { z } from 'zod';
import { occurrencesIn } from '../decide/range-occurrences.js';
import type { Job } from '../job.js';
import { publicRun, type Run, type RunRow } from '../run.js';
import type { JobTransaction, NewRun } from '../store/job-store.js';
import type { Jobs } from '../time-ring-interface.js';
import { type ActiveRun, newRun, rowOf } from './active-run.js';
import type { ExecutorRegistry } from './executor-registry.js';
import { insertRuns } from './insert-runs.js';
import { badJob, checkId, notSchedulable, unknownJob } from './job-errors.js';
import type { RingNode } from './ring-node.js';
import type { RunKeeper } from './run-keeper.js';

/** Runs of a job that users ask for, whatever its schedule and state. */
export function createJobTriggers(
  node: RingNode,
  keeper: RunKeeper,
  registry: ExecutorRegistry,
): Pick<Jobs, 'trigger' | 'triggerRange'> {
  const { store, time } = node;

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

  return { trigger, triggerRange };
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
