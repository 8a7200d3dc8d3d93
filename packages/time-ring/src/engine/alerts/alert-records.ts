import type { AlertCause, AlertRule } from '../../model/alert.js';
import type { Job } from '../../model/job.js';
import { channelsFor, mergeRules } from '../../schedule/alert-rules.js';
import type { AlertMark, AlertVerbs, NewAlert } from '../../store/alert-store.js';
import { alertText, recoveredText, type Trouble } from './alert-text.js';

/** Writes alerts to the outbox, in the transaction that records their cause. */
export interface AlertRecords {
  /** The rules that apply to a job; for null, those that concern no job. The most specific come first. */
  rulesOf(job: Pick<Job, 'alerts' | 'executorGroup'> | null): readonly AlertRule[];
  /** Whether a rule of the job covers the cause: most jobs have no rules, which must cost nothing. */
  wants(job: Pick<Job, 'alerts' | 'executorGroup'> | null, on: AlertCause): boolean;
  readonly misfireMs: number;
  record(trx: AlertVerbs, troubles: readonly Trouble[]): Promise<void>;
  /** Records that a fire of each of these jobs has failed for good. */
  markFailing(trx: AlertVerbs, jobs: readonly Job[], at: number): Promise<void>;
  /** Returns those of the jobs whose last fire had failed for good, and clears that record. */
  takeFailing(trx: AlertVerbs, jobs: readonly Job[]): Promise<readonly Job[]>;
  /** The recorded alerts are committed and may be sent. */
  settle(): void;
  /** Sets the outbox that sends. */
  connect(outbox: { wake(): void }): void;
}

/** How long a failing job stays recorded. */
const FAILING_MS = 90 * 86_400_000;

export interface AlertRecordsOptions {
  readonly nodeId: string;
  readonly misfireMs: number;
  readonly quietMs: number;
  readonly alerts: readonly AlertRule[];
}

/** `groupRules`: the rules of an executor group. */
export function createAlertRecords(
  { nodeId, misfireMs, quietMs, alerts }: AlertRecordsOptions,
  groupRules: (group: string) => readonly AlertRule[] = () => [],
): AlertRecords {
  let wake = () => {};
  let isOwed = false;

  function rulesOf(job: Pick<Job, 'alerts' | 'executorGroup'> | null): readonly AlertRule[] {
    if (job === null) return alerts;
    const group = groupRules(job.executorGroup);
    return job.alerts.length === 0 && group.length === 0 ? alerts : mergeRules(job.alerts, group, alerts);
  }

  function wants(job: Pick<Job, 'alerts' | 'executorGroup'> | null, on: AlertCause): boolean {
    const rules = rulesOf(job);
    return rules.length > 0 && rules.some((rule) => rule.on === on);
  }

  function bodyOf({ on, job, run, what }: Trouble, count: number): NewAlert['body'] {
    return {
      on,
      text: alertText({ job, what }, count),
      nodeId,
      job: job === null ? null : { id: job.id, key: job.key, name: job.name },
      run:
        run === null
          ? null
          : {
              ...{ id: run.id, fireId: run.fireId, attempt: run.attempt },
              ...{ scheduleTime: run.scheduleTime, message: run.message },
            },
    };
  }

  /** The held-back failures that a recovery on the same channel includes; their quiet time ends. */
  async function endQuiet(trx: AlertVerbs, { job }: Trouble, channel: string) {
    const key = quietKey('fire-failed', job, channel);
    const held = await trx.takeHeldAlerts([key]);
    await trx.deleteMarks([key]);
    return { failures: held.reduce((sum, { count }) => sum + count, 0), at: held[0]?.at };
  }

  /** One message to one channel: at once, or at the end of the quiet time that the previous message began. */
  function alertOf(trouble: Trouble, channel: string, key: string, until: number | null): readonly NewAlert[] {
    const { at, count = 1 } = trouble;
    const base = { channel, at };
    if (until !== null) return [{ ...base, dueAt: until, count, body: bodyOf(trouble, 1), heldKey: key }];
    const first = { ...base, dueAt: at, count: 1, body: bodyOf(trouble, 1), heldKey: null };
    if (count === 1) return [first];
    return [first, { ...base, dueAt: at + quietMs, count: count - 1, body: bodyOf(trouble, 1), heldKey: key }];
  }

  async function record(trx: AlertVerbs, troubles: readonly Trouble[]): Promise<void> {
    const wanted = new Map<string, { trouble: Trouble; channel: string; count: number }>();
    for (const trouble of troubles) {
      for (const channel of trouble.channels ?? channelsFor(rulesOf(trouble.job), trouble.on)) {
        const key = quietKey(trouble.on, trouble.job, channel);
        const known = wanted.get(key);
        const count = (known?.count ?? 0) + (trouble.count ?? 1);
        // The run is that of the latest trouble, the time that of the first.
        wanted.set(key, { trouble: { ...trouble, at: known?.trouble.at ?? trouble.at }, channel, count });
      }
    }
    if (wanted.size === 0) return;
    // In the order of their names, so that no two transactions deadlock.
    const keys = [...wanted.keys()].sort();
    const quiet = await beginQuiet(
      trx,
      keys.map((name) => ({ name, at: wanted.get(name)!.trouble.at })),
      quietMs,
    );
    const alerts: NewAlert[] = [];
    for (const key of keys) {
      const { trouble, channel, count } = wanted.get(key)!;
      const until = quiet.get(key) ?? null;
      if (trouble.on !== 'fire-recovered') alerts.push(...alertOf({ ...trouble, count }, channel, key, until));
      else {
        const { failures, at } = await endQuiet(trx, trouble, channel);
        const told = { ...trouble, at: at ?? trouble.at, what: recoveredText(failures) };
        const body = bodyOf(told, 1);
        alerts.push({
          ...{ channel, at: told.at, count: count + failures, body },
          ...{ dueAt: until ?? trouble.at, heldKey: until === null ? null : key },
        });
      }
    }
    await trx.insertAlerts(alerts);
    isOwed = true;
  }

  return {
    rulesOf,
    wants,
    misfireMs,
    record,
    async markFailing(trx, jobs, at) {
      const marks = unique(jobs).map((job) => ({ name: failingMark(job), owner: '', until: at + FAILING_MS }));
      if (marks.length > 0) await trx.putMarks(marks);
    },
    async takeFailing(trx, jobs) {
      const asked = unique(jobs);
      if (asked.length === 0) return [];
      const marks = new Set((await trx.holdMarks(asked.map(failingMark))).map(({ name }) => name));
      const recovered = asked.filter((job) => marks.has(failingMark(job)));
      if (recovered.length > 0) await trx.deleteMarks(recovered.map(failingMark));
      return recovered;
    },
    settle() {
      if (!isOwed) return;
      isOwed = false;
      wake();
    },
    connect(outbox) {
      wake = () => outbox.wake();
    },
  };
}

/** Begins the quiet times that are not under way, and returns when the others end. */
async function beginQuiet(
  trx: AlertVerbs,
  wanted: readonly { readonly name: string; readonly at: number }[],
  quietMs: number,
): Promise<ReadonlyMap<string, number>> {
  const markOf = ({ name, at }: (typeof wanted)[number]): AlertMark => ({ name, owner: '', until: at + quietMs });
  const found = new Map((await trx.holdMarks(wanted.map(({ name }) => name))).map((mark) => [mark.name, mark.until]));
  const missing = wanted.filter(({ name }) => !found.has(name));
  const added = missing.length === 0 ? new Set<string>() : await trx.addMarks(missing.map(markOf));
  // Another transaction has begun these meanwhile.
  const others = missing.filter(({ name }) => !added.has(name)).map(({ name }) => name);
  for (const { name, until } of others.length === 0 ? [] : await trx.holdMarks(others)) found.set(name, until);
  const over = wanted.filter(({ name, at }) => found.has(name) && found.get(name)! <= at);
  if (over.length > 0) await trx.putMarks(over.map(markOf));
  for (const { name } of over) found.delete(name);
  return found;
}

function quietKey(on: AlertCause, job: Pick<Job, 'id'> | null, channel: string): string {
  return `quiet:${on}:${job?.id ?? 0}:${channel}`;
}

function failingMark({ id }: Pick<Job, 'id'>): string {
  return `failing:${id}`;
}

function unique(jobs: readonly Job[]): readonly Job[] {
  return [...new Map(jobs.map((job) => [job.id, job])).values()];
}
