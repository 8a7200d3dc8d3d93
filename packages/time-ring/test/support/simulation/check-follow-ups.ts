import type { RunRow } from '../../../src/model/run.js';
import { type Breach, changesOf, groupBy } from './check-history.js';
import type { History } from './history-record.js';

/** Retries follow failures, as many as there may be; each shard of a fire is there; a fire that succeeded has one child a child. */
export function checkFollowUps(history: History): Breach[] {
  return [...retries(history), ...later(history), ...shards(history), ...children(history)];
}

/** The fires of which users have retried a run. */
export function retriedByUsers(history: History): ReadonlySet<number> {
  const retries = changesOf(history, 'inserted').filter(({ run }) => run.key?.kind === 'retry');
  return new Set(retries.map(({ run }) => run.fireId!));
}

/** A handler that asks for a later time has it as often in a row as its job has retries. */
function later(history: History): Breach[] {
  const retries = new Map(history.jobs.map((job) => [job.id, job.retries]));
  return history.rows.flatMap(({ id, jobId, state, message, postponed }) =>
    state === 'failed' && history.later.has(message ?? '') && postponed < (retries.get(jobId) ?? 0)
      ? [{ rule: 'later', message: `run ${id} failed after ${postponed} postponements` }]
      : [],
  );
}

function retries(history: History): Breach[] {
  const { rows, jobs } = history;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  // Users may retry what the engine would not.
  const askedFor = retriedByUsers(history);
  return [...groupBy(rows, (row) => `fire ${row.fireId} shard ${row.shardIndex}`)].flatMap(([key, runs]) => {
    const breaches: Breach[] = [];
    const attempts = runs.map(({ attempt }) => attempt).sort((a, b) => a - b);
    const job = askedFor.has(runs[0]!.fireId) ? undefined : byId.get(runs[0]!.jobId);
    if (attempts.some((attempt, i) => attempt !== i + 1)) {
      breaches.push({ rule: 'retries', message: `${key} has the attempts ${attempts}` });
    }
    if (job === undefined) return breaches;
    if (attempts.length > job.retries + 1) {
      breaches.push({ rule: 'retries', message: `${key} has ${attempts.length} attempts for ${job.retries} retries` });
    }
    const last = runs.find(({ attempt }) => attempt === attempts.length);
    if (last?.state === 'failed' && last.attempt <= job.retries && !history.final.has(last.message ?? '')) {
      breaches.push({ rule: 'retries', message: `${key} failed at attempt ${last.attempt} and was not retried` });
    }
    const early = runs.find(({ state, attempt }) => state !== 'failed' && attempt < attempts.length);
    if (early !== undefined) breaches.push({ rule: 'retries', message: `${key} was retried after ${early.state}` });
    return breaches;
  });
}

function shards({ rows }: History): Breach[] {
  const firsts = rows.filter(({ triggerType, attempt }) => triggerType !== 'retry' && attempt === 1);
  return [...groupBy(firsts, ({ fireId }) => fireId)].flatMap(([fireId, runs]) => {
    const { shardTotal } = runs[0]!;
    const indices = runs.map(({ shardIndex }) => shardIndex).sort((a, b) => a - b);
    const isWhole = indices.length === shardTotal && indices.every((index, i) => index === i);
    return isWhole ? [] : [{ rule: 'shards', message: `fire ${fireId} has the shards ${indices} of ${shardTotal}` }];
  });
}

/** Parent and child are steady, so every fire of the parent that succeeded counts. */
function children(history: History): Breach[] {
  const inserted = changesOf(history, 'inserted').flatMap(({ run }) => (run.key?.kind === 'child' ? [run.key] : []));
  const counts = groupBy(inserted, ({ parentFireId }) => parentFireId);
  const fires = groupBy(
    history.rows.filter(({ jobId }) => jobId === 1),
    ({ fireId }) => fireId,
  );
  return [...fires].flatMap(([fireId, runs]) => {
    const expected = hasSucceeded(runs) ? 1 : 0;
    const found = counts.get(fireId)?.length ?? 0;
    return found === expected ? [] : [{ rule: 'children', message: `fire ${fireId} has ${found} children` }];
  });
}

function hasSucceeded(runs: readonly RunRow[]): boolean {
  const done = new Set(runs.filter(({ state }) => state === 'succeeded').map(({ shardIndex }) => shardIndex));
  return done.size === runs[0]!.shardTotal;
}
