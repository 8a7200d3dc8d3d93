import { TimeRingError } from './model/errors.js';
import type { ForeignTransaction } from './model/foreign-transaction.js';
import type { Handler } from './model/handler.js';
import type { Jobs, TimeRing } from './model/interface.js';
import type { Run } from './model/run.js';
import type { TriggerItem } from './model/trigger.js';
import { checkTyped } from './typed-handler.js';

interface Typed {
  readonly '~types': { readonly params: unknown; readonly result: unknown };
}

/** The type of a handler's parameters, as callers write them. */
export type ParamsOf<H> = H extends Typed ? H['~types']['params'] : unknown;
/** The type of a handler's result. */
export type ResultOf<H> = H extends Typed
  ? H['~types']['result']
  : H extends (...args: never[]) => infer Returned
    ? Awaited<Returned>
    : unknown;

/** A run with the parameter and result types of a handler. */
export type TypedRun<H> = Omit<Run, 'params' | 'result'> & { params: ParamsOf<H>; result: ResultOf<H> | null };

/** A trigger item with the parameter type of a handler. */
export type TypedItem<H> = Omit<TriggerItem, 'params'> &
  (unknown extends ParamsOf<H> ? { params?: unknown } : { params: ParamsOf<H> });

/** Triggers the jobs named after handlers, with the types of their schemas. */
export interface TypedRing<Handlers extends Readonly<Record<string, Handler>>> {
  /** Checks the parameters, then triggers the job whose key is the handler's name; the job is declared at its first use. */
  trigger<Name extends keyof Handlers & string>(
    name: Name,
    item: TypedItem<Handlers[Name]> & { transaction?: ForeignTransaction },
  ): Promise<TypedRun<Handlers[Name]>>;
  triggerMany<Name extends keyof Handlers & string>(
    name: Name,
    items: readonly TypedItem<Handlers[Name]>[],
    options?: { transaction?: ForeignTransaction },
  ): Promise<readonly TypedRun<Handlers[Name]>[]>;
  /**
   * Declares a job as `jobs.put` does, after checking its params, if it has any, against the handler that it names. Do this for jobs that
   * are first triggered inside a SQLite transaction, which cannot wait for a declaration outside it.
   */
  put(job: Parameters<Jobs['put']>[0]): ReturnType<Jobs['put']>;
  /** Resolves with the last attempt of a run that `trigger` returned, with its typed result. */
  wait<R extends { readonly id: number }>(run: R, options?: { timeoutMs?: number }): Promise<R>;
}

/** A client whose parameters and results follow the schemas of `handlers`: invalid parameters are refused before anything is written. */
export function typedRing<const Handlers extends Readonly<Record<string, Handler>>>(
  ring: Pick<TimeRing, 'jobs' | 'runs'>,
  handlers: Handlers,
): TypedRing<Handlers> {
  const jobs = new Map<string, Promise<number>>();

  /** Declares the job unless it exists; of many concurrent declarations one succeeds. */
  async function declare(name: string): Promise<number> {
    try {
      return (await ring.jobs.add({ key: name, name, handler: name, schedule: { kind: 'none' } })).id;
    } catch (error) {
      if (error instanceof TimeRingError && error.code === 'key-taken') return error.details.jobId as number;
      throw error;
    }
  }

  function jobOf(name: string): Promise<number> {
    const known = jobs.get(name);
    if (known !== undefined) return known;
    const declared = declare(name);
    declared.catch(() => jobs.delete(name));
    jobs.set(name, declared);
    return declared;
  }

  async function check(name: string, items: readonly { params?: unknown }[]): Promise<void> {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) {
      throw new TimeRingError('bad-params', `There is no handler "${name}" in typedRing`, {
        field: 'name',
        value: name,
      });
    }
    for (const { params } of items) await checkTyped(name, handler, params);
  }

  /** A job that was removed meanwhile is declared again. */
  async function withJob<T>(name: string, work: (id: number) => Promise<T>): Promise<T> {
    try {
      return await work(await jobOf(name));
    } catch (error) {
      if (!(error instanceof TimeRingError && error.code === 'unknown-job')) throw error;
      jobs.delete(name);
      return work(await jobOf(name));
    }
  }

  return {
    async trigger(name, item) {
      await check(name, [item]);
      return (await withJob(name, (id) => ring.jobs.trigger(id, item as TriggerItem))) as never;
    },
    async triggerMany(name, items, options) {
      await check(name, items);
      return (await withJob(name, (id) => ring.jobs.triggerMany(id, items as TriggerItem[], options))) as never;
    },
    async put(job) {
      const given = Object.hasOwn(handlers, job.handler) ? handlers[job.handler] : undefined;
      if (job.params !== undefined && given !== undefined) await checkTyped(job.handler, given, job.params);
      const put = await ring.jobs.put(job);
      // A first trigger inside a transaction must not look the job up outside it.
      if (job.key === job.handler) jobs.set(job.key, Promise.resolve(put.job.id));
      return put;
    },
    wait: async (run, options) => (await ring.runs.wait(run.id, options)) as never,
  };
}
