import { tooMuchHandedIn } from '../../flow/hand-in.js';
import { badOption, TimeRingError } from '../../model/errors.js';
import type { FlowRow } from '../../model/flow-rows.js';
import type { Runs } from '../../model/interface.js';
import type { Job } from '../../model/job.js';
import { isOver, publicRun, type Run, type RunRow } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { RunIntake } from '../dispatch/intake.js';
import { isOfCancelled } from '../flows/ended-steps.js';
import { lockFlowsOf, reopenFlows } from '../flows/settle-flows.js';
import { readStepParams } from '../flows/write-steps.js';
import { type ActiveRun, keptByAll, newRun, rowOf } from '../node/active-run.js';
import { insertRuns } from '../node/insert-runs.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import { unknownJob } from './job-errors.js';
import { readFilter } from './read-filter.js';
import type { ServiceNode } from './service-node.js';

const MAX_RETRIES = 1_000;
const MAX_RUNS_PER_WRITE = 200;

/** The facts that decide whether runs can be retried: their jobs, the last attempts of their fires, their flows. */
interface RetryGrounds {
  readonly jobs: ReadonlyMap<number, Job>;
  readonly last: ReadonlySet<number>;
  readonly flows: ReadonlyMap<number, FlowRow>;
}

export interface RunRetryParts {
  readonly owned: Pick<OwnedRuns, 'markUncertain'>;
  readonly intake: Pick<RunIntake, 'accept'>;
  find(id: number): Promise<RunRow>;
}

/** Makes requested further attempts. */
export function createRunRetries(
  node: ServiceNode,
  { owned, intake, find }: RunRetryParts,
): Pick<Runs, 'retry' | 'retryMany'> {
  const { store, time } = node;

  /** Writes the next attempts of the runs that can have one; a string says why a run cannot. */
  async function retryAll(ids: readonly number[]): Promise<readonly (ActiveRun | string)[]> {
    const answers = await store
      .transaction(async (trx) => {
        const rows = new Map((await trx.lockRuns(ids)).map((row) => [row.id, row]));
        const jobs = new Map((await trx.jobsByIds(jobIdsOf([...rows.values()]))).map((job) => [job.id, job]));
        const latest = await trx.latestOfFires([...new Set([...rows.values()].map(({ fireId }) => fireId))]);
        const last = new Set(latest.map(({ id }) => id));
        const flows = await lockFlowsOf(trx, [...rows.values()]);
        const written: (ActiveRun | string)[] = [];
        for (const id of ids) written.push(await retryOne(trx, rows.get(id), { jobs, last, flows }));
        // The steps are open again, and steps skipped because of their end wait again.
        const retried = written.flatMap((answer) => (typeof answer === 'string' ? [] : [answer.row]));
        await reopenFlows(trx, flows, retried);
        return written;
      })
      .catch((error: unknown) => {
        owned.markUncertain();
        throw error;
      });
    const runs = answers.filter((answer) => typeof answer !== 'string');
    node.counters.retried += runs.length;
    intake.accept(runs, time.now());
    return answers;
  }

  async function retryOne(
    trx: JobTransaction,
    row: RunRow | undefined,
    { jobs, last, flows }: RetryGrounds,
  ): Promise<ActiveRun | string> {
    if (row === undefined) return 'it is not there any more';
    if (!isOver(row.state)) return `it is not over but ${row.state}`;
    if (row.state === 'succeeded') return 'it has succeeded';
    const job = jobs.get(row.jobId);
    if (job === undefined) return 'its job is gone';
    if (!last.has(row.id)) return 'another attempt follows it';
    if (isOfCancelled(flows, row)) return 'its flow was cancelled';
    const handed = await handedIn(trx, row);
    if (typeof handed === 'string') return handed;
    if (row.uniqueKey !== null && !(await trx.retakeUnique(row.fireId))) {
      return `another run has its unique key "${row.uniqueKey}"`;
    }
    const retry = newRun(job, node.owner, {
      ...keptByAll(row),
      ...handed,
      triggerType: 'retry',
      at: time.now(),
      fireId: row.fireId,
      attempt: row.attempt + 1,
      shardIndex: row.shardIndex,
      fixedAddress: row.fixedAddress,
      key: { kind: 'retry', runId: row.id },
    });
    const [id] = await insertRuns(node, trx, [retry]);
    return id === null ? 'another attempt follows it' : { job, row: rowOf(retry, id!) };
  }

  return {
    async retry(id): Promise<Run> {
      const { jobId } = await find(id);
      if ((await store.job(jobId)) === null) throw unknownJob(jobId);
      const [answer] = await retryAll([id]);
      if (typeof answer === 'object') return publicRun(answer.row);
      throw new TimeRingError('not-retryable', `Run ${id} cannot be retried: ${answer}`, { field: 'id', value: id });
    },
    async retryMany({ limit = MAX_RETRIES, ...filter } = {}) {
      if (!Number.isSafeInteger(limit) || limit < 1) throw badOption('limit', limit, 'a whole number from 1 on');
      const query = { ...(await readFilter(store, filter)), include: [] };
      // Runs that fail again meanwhile are not part of this call.
      const newest = (await store.runs({ limit: 1, beforeId: null, include: [] }))[0]?.id ?? 0;
      let retried = 0;
      for (let beforeId: number | null = null; retried < limit; ) {
        const runs: readonly Run[] = await store.runs({ ...query, limit: MAX_RUNS_PER_WRITE, beforeId });
        const ids = runs.filter((run) => run.id <= newest && mayBeRetried(run)).map(({ id }) => id);
        const answers = ids.length === 0 ? [] : await retryAll(ids.slice(0, limit - retried));
        retried += answers.filter((answer) => typeof answer !== 'string').length;
        if (runs.length < MAX_RUNS_PER_WRITE || runs.at(-1)!.id > newest) break;
        beforeId = runs.at(-1)!.id;
      }
      return retried;
    },
  };
}

/** A step that never started may have failed because its params could not be built: they are built again. */
async function handedIn(trx: JobTransaction, { flowStep, firedAt }: RunRow): Promise<{ params?: unknown } | string> {
  if (flowStep === null || firedAt !== null) return {};
  const params = await readStepParams(trx, flowStep);
  return tooMuchHandedIn(params) ?? (params === undefined ? {} : { params });
}

function mayBeRetried({ state }: Run): boolean {
  return isOver(state) && state !== 'succeeded';
}

function jobIdsOf(rows: readonly RunRow[]): number[] {
  return [...new Set(rows.map(({ jobId }) => jobId))];
}
