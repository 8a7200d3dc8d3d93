import { stopped } from './engine/api/stopped-guard.js';
import { startLocalExecutor } from './engine/local-executor.js';
import { internalsOf } from './engine/ring-internals.js';
import { badOption } from './model/errors.js';
import type { Executor, TimeRing } from './model/interface.js';
import { type RemoteExecutorOptions, startRemoteExecutor } from './remote-executor/start-remote-executor.js';

/** Options of `createExecutor`: with a ring in this process those up to `concurrency` apply, with admin URLs all of them. */
export type ExecutorOptions = {
  /** The ring of this process, or the URLs of schedulers elsewhere. */
  ring: TimeRing | string | readonly string[];
} & Omit<RemoteExecutorOptions, 'ring'>;

/** Starts an executor: in the process of `ring`, or behind HTTP for the schedulers at the given URLs. */
export async function createExecutor(options: ExecutorOptions): Promise<Executor> {
  const { group = 'default', handlers, queueLimit = 1_000, concurrency = null, ring } = options;
  checkText('group', group);
  checkHandlers(handlers);
  if (!Number.isSafeInteger(queueLimit) || queueLimit < 0) {
    throw badOption('queueLimit', queueLimit, 'a whole number from 0 on');
  }
  if (concurrency !== null && !(Number.isSafeInteger(concurrency) && concurrency >= 1)) {
    throw badOption('concurrency', concurrency, 'a whole number from 1 on');
  }
  if (typeof ring === 'string' || Array.isArray(ring)) {
    return startRemoteExecutor({ ...options, ring: ring as string | readonly string[] });
  }
  const parts = internalsOf(ring as TimeRing);
  if (parts.node.isStopping) throw stopped();
  const address = options.address ?? freeAddress(parts.registry.locals().map((executor) => executor.address));
  checkText('address', address);
  return await startLocalExecutor(parts, { group, address, handlers, queueLimit, concurrency });
}

function freeAddress(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    if (!taken.includes(`local:${number}`)) return `local:${number}`;
  }
}

function checkText(field: string, value: unknown): void {
  if (typeof value !== 'string' || value.length === 0 || value.length > 255) {
    throw badOption(field, value, 'a text of 1 to 255 characters');
  }
}

function checkHandlers(handlers: unknown): void {
  if (typeof handlers !== 'object' || handlers === null) throw badOption('handlers', handlers, 'functions by name');
  for (const [name, handler] of Object.entries(handlers)) {
    if (typeof handler !== 'function') throw badOption(`handlers.${name}`, handler, 'a function');
  }
}
