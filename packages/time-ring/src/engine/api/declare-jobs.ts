import type { EpochMs } from '@horae/clock-store';
import type { Jobs, PutOutcome, SyncReport } from '../../model/interface.js';
import type { Job, JobInput, JobSettings } from '../../model/job.js';
import { parseJob } from '../../schedule/parse-job.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { RunIntake } from '../dispatch/intake.js';
import { beginJob } from './begun-job.js';
import { checkCalendars } from './calendar-service.js';
import { isSameJson, type JobChange, reportChange, withSettings } from './change-job.js';
import { checkChildren } from './check-children.js';
import { checkParams } from './check-params.js';
import { findJob, keyTaken, settingsOf } from './find-job.js';
import { badJob } from './job-errors.js';
import type { ServiceNode } from './service-node.js';

/** A checked declaration of a job. */
interface Declaration {
  readonly settings: JobSettings & { readonly key: string };
  readonly isStarted: boolean;
}

/** The outcome of a declaration; `before` is null for a new job. */
interface Declared {
  readonly before: Job | null;
  readonly after: Job;
  readonly outcome: PutOutcome;
}

const MAX_JOBS_PER_SYNC = 10_000;

/** Declares jobs; many programs may do so concurrently, at every start. */
export function createJobDeclarations(
  node: ServiceNode,
  intake: Pick<RunIntake, 'withdraw'>,
): Pick<Jobs, 'put' | 'sync'> {
  const { store, emitter, time } = node;

  async function put(input: JobInput & { key: string; start?: boolean }) {
    const wanted = readDeclaration(input, node.options.maxParamsBytes);
    // Most starts change nothing, so most declarations lock nothing.
    const known = await findJob(store, wanted.settings.key);
    if (known !== null && isAsDeclared(known, wanted)) return { job: known, outcome: 'unchanged' as const };
    const declared = await store.transaction(async (trx) =>
      declare(node, trx, wanted, { at: await time.read(trx), namespace: null }),
    );
    report(declared);
    return { job: declared.after, outcome: declared.outcome };
  }

  async function sync(
    jobs: readonly (JobInput & { key: string; start?: boolean })[],
    options: { namespace?: string; removeOthers?: boolean } = {},
  ): Promise<SyncReport> {
    const { namespace, removeOthers } = readSyncOptions(options);
    const wanted = readDeclarations(jobs, node.options.maxParamsBytes);
    const { declared, removed } = await store.transaction(async (trx) => {
      // From here on no other transaction adds a job or assigns a key, so two concurrent lists apply one after the other.
      await trx.lockKey(namespace);
      const at = await time.read(trx);
      const known = new Map(
        (await trx.jobsByKeys(wanted.map(({ settings }) => settings.key))).map((job) => [job.key, job]),
      );
      for (const { settings } of wanted) checkNamespace(known.get(settings.key), namespace);
      const declared: Declared[] = [];
      for (const each of wanted) {
        const job = known.get(each.settings.key);
        if (job !== undefined && job.namespace === namespace && isAsDeclared(job, each)) {
          declared.push({ before: job, after: job, outcome: 'unchanged' });
        } else declared.push(await declare(node, trx, each, { at, namespace }));
      }
      const removed = removeOthers ? await removeUnnamed(trx, namespace, wanted) : [];
      return { declared, removed };
    });
    for (const each of declared) report(each);
    for (const job of removed) {
      intake.withdraw(job.id);
      emitter.emit('job-removed', { jobId: job.id });
    }
    const keysOf = (outcome: PutOutcome) =>
      declared.filter((each) => each.outcome === outcome).map(({ after }) => after.key!);
    return {
      added: keysOf('added'),
      updated: keysOf('updated'),
      unchanged: keysOf('unchanged'),
      removed: removed.map(({ key, id }) => key ?? String(id)),
    };
  }

  function report({ before, after, outcome }: Declared): void {
    if (outcome === 'updated') reportChange(node, intake, { before, after } as JobChange);
    if (outcome !== 'added') return;
    emitter.emit('job-added', { job: after });
    if (after.state === 'RUNNING') emitter.emit('job-started', { job: after });
  }

  return { put, sync };
}

/** Makes a job match its declaration, inside a transaction. `namespace` null leaves the job's namespace unchanged. */
async function declare(
  node: ServiceNode,
  trx: JobTransaction,
  wanted: Declaration,
  { at, namespace }: { at: EpochMs; namespace: string | null },
): Promise<Declared> {
  const { settings, isStarted } = wanted;
  const before = await lockByKey(trx, settings.key);
  if (before === null) return add(node, trx, wanted, { at, namespace });
  const owner = namespace ?? before.namespace;
  if (namespace !== null) checkNamespace(before, namespace);
  if (owner === before.namespace && isAsDeclared(before, wanted)) {
    return { before, after: before, outcome: 'unchanged' };
  }
  const changed = { ...(await withSettings(node, trx, before, settings, at)), namespace: owner };
  const isNewSchedule = !isSameJson(settings.schedule, before.schedule);
  const isIdle = isNewSchedule && isStarted && wasStoppedByEngine(before) && settings.schedule.kind !== 'none';
  const after = isIdle ? await beginJob(node, trx, changed, at) : changed;
  await trx.putJob(after);
  return { before, after, outcome: 'updated' };
}

async function add(
  node: ServiceNode,
  trx: JobTransaction,
  { settings, isStarted }: Declaration,
  { at, namespace }: { at: EpochMs; namespace: string | null },
): Promise<Declared> {
  if (settings.children.length > 0) await checkChildren(trx, null, settings.children);
  await checkCalendars(trx, settings.except);
  const added: Job = { ...(await trx.insertJob(settings, at)), namespace };
  const isScheduled = isStarted && settings.schedule.kind !== 'none';
  const after = isScheduled ? await beginJob(node, trx, added, at) : added;
  if (isScheduled || namespace !== null) await trx.putJob(after);
  return { before: null, after, outcome: 'added' };
}

/** The job with the key, locked; null when no job has the key or can take it before the transaction is over. */
async function lockByKey(trx: JobTransaction, key: string): Promise<Job | null> {
  const seen = await findJob(trx, key);
  const held = seen === null ? null : await trx.lockJob(seen.id);
  if (held?.key === key) return held;
  const id = await trx.lockKey(key);
  const job = id === null ? null : await trx.lockJob(id);
  if (job !== null && job.key !== key) throw keyTaken(key, job.id, 'this database takes the two keys for the same');
  return job;
}

async function removeUnnamed(
  trx: JobTransaction,
  namespace: string,
  wanted: readonly Declaration[],
): Promise<readonly Job[]> {
  const keys = new Set<string | null>(wanted.map(({ settings }) => settings.key));
  const removed: Job[] = [];
  for (const { id, key } of await trx.jobsOfNamespace(namespace)) {
    const job = keys.has(key) ? null : await trx.lockJob(id);
    if (job === null || job.namespace !== namespace) continue;
    await trx.withdrawRuns(id);
    await trx.deleteJob(id);
    removed.push(job);
  }
  return removed;
}

/** A job of kind 'none' is never started, so it cannot have been stopped by hand. */
function wasStoppedByEngine({ state, stopReason, schedule }: Job): boolean {
  if (state === 'RUNNING') return false;
  return stopReason === null ? schedule.kind === 'none' : stopReason.code !== 'user';
}

function isAsDeclared(job: Job, { settings }: Declaration): boolean {
  return isSameJson(settingsOf(job), settings);
}

function checkNamespace(job: Job | undefined | null, namespace: string): void {
  if (job === undefined || job === null || job.namespace === null || job.namespace === namespace) return;
  throw keyTaken(job.key!, job.id, `it belongs to the namespace "${job.namespace}"; remove it there first`);
}

function readDeclaration(input: JobInput & { start?: boolean }, maxParamsBytes: number): Declaration {
  if (typeof input !== 'object' || input === null) throw badJob('job', input, 'must be an object with fields of a job');
  const { start = true, ...rest } = input;
  if (typeof start !== 'boolean') throw badJob('start', start, 'true or false');
  const settings = parseJob(rest);
  const { key } = settings;
  if (key === null) throw badJob('key', key, 'must be given: it tells which job is declared');
  checkParams(settings.params, maxParamsBytes);
  return { settings: { ...settings, key }, isStarted: start };
}

function readDeclarations(jobs: readonly JobInput[], maxParamsBytes: number): readonly Declaration[] {
  if (!Array.isArray(jobs)) throw badJob('jobs', jobs, 'must be a list of jobs');
  if (jobs.length > MAX_JOBS_PER_SYNC) throw badJob('jobs', jobs.length, `must be at most ${MAX_JOBS_PER_SYNC}`);
  const keys = new Set<string>();
  return jobs.map((job) => {
    const wanted = readDeclaration(job, maxParamsBytes);
    if (keys.has(wanted.settings.key)) throw badJob('key', wanted.settings.key, 'stands twice in the list');
    keys.add(wanted.settings.key);
    return wanted;
  });
}

function readSyncOptions({
  namespace = 'default',
  removeOthers = false,
}: {
  namespace?: string;
  removeOthers?: boolean;
}) {
  const isName = typeof namespace === 'string' && namespace.length > 0 && namespace.length <= 255;
  if (!isName || /\p{Cc}/u.test(namespace)) {
    throw badJob('namespace', namespace, 'must be 1 to 255 characters without control characters');
  }
  if (typeof removeOthers !== 'boolean') throw badJob('removeOthers', removeOthers, 'true or false');
  return { namespace, removeOthers };
}
