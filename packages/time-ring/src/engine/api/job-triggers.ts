import { TimeRingError } from '../../model/errors.js';
import type { ForeignTransaction } from '../../model/foreign-transaction.js';
import type { Jobs } from '../../model/interface.js';
import type { Job, JobRef } from '../../model/job.js';
import { publicRun, type Run, type RunRow, UNOWNED } from '../../model/run.js';
import { MAX_TRIGGER_ITEMS } from '../../model/trigger.js';
import { badTrigger, type ParsedTrigger, parseTrigger } from '../../schedule/parse-trigger.js';
import { occurrencesIn } from '../../schedule/range-occurrences.js';
import type { JobTransaction, NewRun } from '../../store/job-store.js';
import { type RunTracing, traceText } from '../../workbench/run-tracing.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { ExecutorRegistry } from '../dispatch/registry.js';
import { type ActiveRun, keptByAll, newRun, rowOf } from '../node/active-run.js';
import { calendarsFor } from '../node/calendar-book.js';
import { insertRuns } from '../node/insert-runs.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import { nearMs } from '../node/ring-node.js';
import { checkParams, paramsBytes } from './check-params.js';
import { findJob } from './find-job.js';
import { notSchedulable, unknownExecutor, unknownJob } from './job-errors.js';
import type { ServiceNode } from './service-node.js';
import { wakeOthers } from './wake-others.js';
import { type TriggeredRun, writeTriggers } from './write-triggers.js';

/** Triggers runs of a job, whatever its schedule and state. */
export function createJobTriggers(
  node: ServiceNode,
  owned: Pick<OwnedRuns, 'markUncertain'>,
  intake: Pick<RunIntake, 'accept'>,
  registry: Pick<ExecutorRegistry, 'list' | 'members'>,
): Pick<Jobs, 'trigger' | 'triggerMany' | 'triggerRange'> {
  const { store, time } = node;

  const trigger: Jobs['trigger'] = async (id, { transaction, ...options } = {}) => {
    const asked = read(options);
    if (transaction !== undefined) return (await insertInside(transaction, id, [asked]))[0]!;
    const [run] = await insert(id, async (job) => {
      const run = await planned(job, asked);
      if (job.route !== 'SHARDING_BROADCAST' || asked.address !== undefined || run.dueAt !== null) return [run];
      const { all } = (await registry.members(job.executorGroup)).withHandler(job.handler);
      return [{ ...run, shardTotal: Math.max(1, all.length) }];
    });
    return run!;
  };

  const triggerMany: Jobs['triggerMany'] = async (id, items, { transaction } = {}) => {
    if (!Array.isArray(items)) throw badTrigger('items', items, 'must be an array of what is asked for');
    if (items.length > MAX_TRIGGER_ITEMS) throw tooMany(items.length);
    const asked = items.map((item) => read(item));
    if (transaction !== undefined) return insertInside(transaction, id, asked);
    return insert(id, async (job) => {
      const runs: NewRun[] = [];
      for (const each of asked) {
        // Most items name no executor: a promise for each would take longer than the rest.
        runs.push(each.address === undefined ? runOf(job, node.owner, each, null) : await planned(job, each));
      }
      return runs;
    });
  };

  const triggerRange: Jobs['triggerRange'] = async (id, options) => {
    let truncated = false;
    const runs = await insert(id, async (job) => {
      if (job.schedule.kind === 'none') throw notSchedulable(job.schedule);
      const at = time.now();
      const calendars = await calendarsFor(store, [job], node.options.zone);
      const times = occurrencesIn(job.schedule, node.options.zone, options, calendars(job.except));
      const occurrences = fitting(times, job);
      truncated = occurrences.truncated;
      return occurrences.times.map((scheduleTime) =>
        newRun(job, node.owner, { triggerType: 'manual', scheduleTime, at }),
      );
    });
    return { runs, truncated };
  };

  function read(item: unknown): ParsedTrigger {
    const asked = parseTrigger(item, time.now(), node.options.zone);
    checkParams(asked.params, node.options.maxParamsBytes);
    return asked;
  }

  async function planned(job: Job, asked: ParsedTrigger): Promise<NewRun> {
    if (asked.address === undefined) return runOf(job, node.owner, asked, null);
    const known = (await registry.list()).map(({ address }) => address);
    return runOf(job, node.owner, asked, meant(asked.address, known));
  }

  function runOf(job: Job, owner: string, asked: ParsedTrigger, fixedAddress: string | null): NewRun {
    return newRun(job, owner, {
      triggerType: 'manual',
      scheduleTime: asked.scheduleTime ?? null,
      at: time.now(),
      dueAt: asked.dueAt,
      // An unowned run stays unowned until it is due.
      nearMs: owner === UNOWNED ? undefined : nearMs(node.options),
      params: asked.params,
      priority: asked.priority,
      labels: asked.labels === undefined ? job.labels : { ...job.labels, ...asked.labels },
      uniqueKey: asked.uniqueKey,
      uniqueForMs: asked.uniqueForMs,
      fixedAddress,
    });
  }

  /** Writes runs of a job, and the shards of those that are spread over several executors. Returns the first shards. */
  async function insert(ref: JobRef, plan: (job: Job) => Promise<NewRun[]>): Promise<Run[]> {
    const job = await findJob(store, ref);
    if (job === null) throw unknownJob(ref);
    const planned = await plan(job);
    if (planned.length === 0) return [];
    return traced(node.tracing.current, job, planned, (runs) => write(job, runs));
  }

  async function write(job: Job, runs: readonly NewRun[]): Promise<Run[]> {
    const { triggered, shards } = await store
      .transaction(async (trx) => {
        const triggered = await writeTriggers(trx, runs, time.now(), (left) => insertRuns(node, trx, left));
        const first = triggered.flatMap(({ row, isNew }) => (isNew ? [row] : []));
        return { triggered, shards: await insertShards(trx, first, job, node.owner) };
      })
      .catch((error: unknown) => {
        owned.markUncertain();
        throw error;
      });
    const rows = [...triggered.flatMap(({ row, isNew }) => (isNew ? [row] : [])), ...shards];
    intake.accept(
      rows.filter(({ owner }) => owner === node.owner).map((row): ActiveRun => ({ job, row })),
      time.now(),
    );
    return triggered.map(answerOf);
  }

  /** The runs become visible when the caller commits: they are unowned until then, and any node takes them. */
  async function insertInside(
    foreign: ForeignTransaction,
    ref: JobRef,
    asked: readonly ParsedTrigger[],
  ): Promise<Run[]> {
    const trx = await store.inTransaction(foreign);
    const job = await findJob(trx, ref);
    if (job === null) throw unknownJob(ref);
    const runs: NewRun[] = [];
    for (const each of asked) {
      const known = each.address === undefined ? [] : (await trx.executors()).map(({ address }) => address);
      runs.push(runOf(job, UNOWNED, each, each.address === undefined ? null : meant(each.address, known)));
    }
    return traced(node.tracing.current, job, runs, async (given) => {
      const triggered = await writeTriggers(trx, given, time.now(), (left) => trx.insertRuns(left));
      await wakeOthers(trx);
      return triggered.map(answerOf);
    });
  }

  return { trigger, triggerMany, triggerRange };
}

/** Writes runs, each inside a span of its own if tracing is on. */
async function traced(
  tracing: RunTracing | null,
  job: Job,
  runs: readonly NewRun[],
  write: (runs: readonly NewRun[]) => Promise<Run[]>,
): Promise<Run[]> {
  if (tracing === null) return write(runs);
  const spans = runs.map(() => tracing.trigger(job));
  try {
    const written = await write(runs.map((run, i) => ({ ...run, trace: traceText(spans[i]!.trace, null) })));
    spans.forEach((span, i) => void span.end({ id: written[i]!.id }));
    return written;
  } catch (error) {
    for (const span of spans) span.end({ error });
    throw error;
  }
}

function answerOf({ row, isNew }: TriggeredRun): Run {
  const run = publicRun(row);
  run.deduplicated = !isNew;
  return run;
}

/** The address as its executor registered it; calls to it carry the access token, so no other address is allowed. */
function meant(address: string, known: readonly string[]): string {
  const found = known.find((other) => withoutSlashes(other) === withoutSlashes(address));
  if (found === undefined) throw unknownExecutor(address);
  return found;
}

function tooMany(count: number): TimeRingError {
  const message = `items: at most ${MAX_TRIGGER_ITEMS} at once; got ${count}: ask for the rest with another call`;
  return new TimeRingError('bad-range', message, { field: 'items', value: count });
}

function withoutSlashes(address: string): string {
  return address.replace(/\/+$/, '');
}

/** The result for a range must fit into one answer; the rest needs another call. */
const MAX_BYTES_PER_RANGE = 33_554_432;
const RUN_BYTES = 512;

function fitting(occurrences: ReturnType<typeof occurrencesIn>, { params }: Job): ReturnType<typeof occurrencesIn> {
  const most = Math.max(1, Math.floor(MAX_BYTES_PER_RANGE / (RUN_BYTES + paramsBytes(params))));
  const { times } = occurrences;
  return times.length <= most ? occurrences : { times: times.slice(0, most), truncated: true };
}

async function insertShards(trx: JobTransaction, first: readonly RunRow[], job: Job, owner: string): Promise<RunRow[]> {
  const shards = first.flatMap((row) =>
    Array.from({ length: row.shardTotal - 1 }, (_, i) =>
      newRun(job, owner, {
        ...keptByAll(row),
        fireId: row.id,
        shardIndex: i + 1,
        at: row.readyAt,
      }),
    ),
  );
  const ids = await trx.insertRuns(shards);
  return shards.map((shard, i) => rowOf(shard, ids[i]!));
}
