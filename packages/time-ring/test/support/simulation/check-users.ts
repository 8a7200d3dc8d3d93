import type { Job } from '../../../src/model/job.js';
import { isOver, type Run } from '../../../src/model/run.js';
import { type Breach, changesOf, startsOf } from './check-history.js';
import type { History, UserCall } from './history-record.js';
import { DECLARED } from './user-calls.js';

/** What users were told is so. */
export function checkUsers(history: History): Breach[] {
  return [...withdrawn(history), ...stopped(history), ...triggered(history), ...declared(history), ...killed(history)];
}

function withdrawn(history: History): Breach[] {
  const gone = new Set(changesOf(history, 'withdrawn').map(({ id }) => id));
  return startsOf(history)
    .filter(({ context }) => gone.has(context.runId))
    .map(({ context }) => ({ rule: 'withdrawn', message: `run ${context.runId} was withdrawn, and began` }));
}

/** From the answer to a stop until the next call that can start the job, nothing of its schedule is claimed. */
function stopped(history: History): Breach[] {
  const inserted = changesOf(history, 'inserted').filter(({ run }) => run.key?.kind === 'schedule');
  return answered(history, 'stop', 'remove').flatMap(({ jobId, answeredAt, askedAt }) => {
    const starts = history.calls.filter((call) => call.jobId === jobId && call.kind === 'start');
    // A start that was asked for before may have come after the stop.
    if (starts.some((call) => call.askedAt <= answeredAt! && (call.answeredAt ?? Infinity) >= askedAt)) return [];
    const next = Math.min(...starts.filter((call) => call.askedAt > answeredAt!).map((call) => call.askedAt), Infinity);
    return inserted
      .filter(({ run, order }) => run.jobId === jobId && order > answeredAt! && order < next)
      .map(({ id }) => ({ rule: 'stopped', message: `job ${jobId} was stopped, and run ${id} was claimed` }));
  });
}

/** A trigger is durable when it is answered. */
function triggered(history: History): Breach[] {
  const rows = new Map(history.rows.map((row) => [row.id, row]));
  return answered(history, 'trigger', 'ask', 'retry').flatMap(({ result }) => {
    const { id } = result as Run;
    const row = rows.get(id);
    return row !== undefined && isOver(row.state) ? [] : [{ rule: 'trigger', message: `run ${id} is ${row?.state}` }];
  });
}

/** Any number of declarations leave one job; one that was answered leaves it for good. */
function declared(history: History): Breach[] {
  const told = answered(history, 'put').map(({ result }) => (result as Job).id);
  const there = history.jobs.filter(({ key }) => key === DECLARED.key).map(({ id }) => id);
  const isSound = there.length <= 1 && told.every((id) => id === there[0]);
  return isSound ? [] : [{ rule: 'put', message: `jobs ${there.join()} were declared, and ${told.join()} told` }];
}

function killed(history: History): Breach[] {
  const rows = new Map(history.rows.map((row) => [row.id, row]));
  return answered(history, 'kill', 'cancel').flatMap(({ result }) => {
    const row = rows.get(result as number);
    // It may have been retried since, which is another run.
    return row?.state === 'killed' ? [] : [{ rule: 'kill', message: `run ${result} was killed, and is ${row?.state}` }];
  });
}

function answered({ calls }: History, ...kinds: UserCall['kind'][]): UserCall[] {
  return calls.filter(({ kind, answeredAt, result }) => kinds.includes(kind) && answeredAt !== null && result !== null);
}
