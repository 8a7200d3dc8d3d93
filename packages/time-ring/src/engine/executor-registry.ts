import type { EpochMs } from '@horae/clock-store';
import type { Workbench } from '../executor/workbench.js';
import type { RemoteCalls } from '../http/remote-calls.js';
import type { ExecutorInfo } from '../ring-events.js';
import type { JobReads, RegisteredExecutor } from '../store/job-store.js';
import { TimeRingError } from '../time-ring-error.js';
import type { RingNode } from './ring-node.js';

/** An executor in this process. */
export interface LocalExecutor {
  readonly group: string;
  readonly address: string;
  readonly registeredAt: EpochMs;
  readonly bench: Workbench;
}

/** Who can be given a run. */
export interface ExecutorRegistry {
  addLocal(executor: LocalExecutor): void;
  removeLocal(executor: LocalExecutor): void;
  local(address: string): LocalExecutor | undefined;
  locals(): readonly LocalExecutor[];
  /** The addresses of those alive in a group, sorted. At once when they have been read within the last second. */
  addresses(group: string): readonly string[] | Promise<readonly string[]>;
  list(group?: string): Promise<readonly ExecutorInfo[]>;
  register(executor: { group: string; address: string }): Promise<void>;
  remove(executor: { group: string; address: string }): Promise<void>;
  /** Forgets what was read of a group, or of all. */
  forget(group?: string): void;
  infoOf(executor: RegisteredExecutor): ExecutorInfo;
}

/** A remote executor is alive for this long after a beat: three beats of 30 s. */
export const ALIVE_MS = 90_000;
/** How long other nodes' registrations may go unnoticed. */
const FRESH_MS = 1_000;
const COUNT_FRESH_MS = 10_000;

export function createExecutorRegistry(
  node: RingNode,
  calls: RemoteCalls,
  limits: { maxExecutors: number },
): ExecutorRegistry {
  const locals = new Map<string, LocalExecutor>();
  const readings = new Map<
    string,
    { readonly readAt: number; readonly addresses: readonly string[] | Promise<readonly string[]> }
  >();

  let count = { value: 0, readAt: Number.NEGATIVE_INFINITY };

  /** How many there are with the one that is being added; counting anew for each of ten thousand would be too much. */
  async function countOf(reads: Pick<JobReads, 'executors'>): Promise<number> {
    const readAt = node.clock.monotonicMs();
    if (readAt - count.readAt > COUNT_FRESH_MS) count = { value: (await reads.executors()).length - 1, readAt };
    return count.value + 1;
  }

  /** Thousands of triggers a second share one reading. */
  function addresses(group: string): readonly string[] | Promise<readonly string[]> {
    const readAt = node.clock.monotonicMs();
    const known = readings.get(group);
    if (known !== undefined && readAt - known.readAt < FRESH_MS) return known.addresses;
    const reading = read(group, readAt);
    readings.set(group, { readAt, addresses: reading });
    reading.catch(() => readings.delete(group));
    return reading;
  }

  async function read(group: string, readAt: number): Promise<readonly string[]> {
    const there = alive(await node.store.executors(group));
    const here = [...locals.values()].filter((executor) => executor.group === group);
    const sorted = [...new Set([...here, ...there].map(({ address }) => address))].sort();
    // What has changed meanwhile has forgotten this reading.
    if (readings.get(group)?.readAt === readAt) readings.set(group, { readAt, addresses: sorted });
    return sorted;
  }

  function alive(executors: readonly RegisteredExecutor[]): readonly RegisteredExecutor[] {
    const now = node.time.now();
    return executors.filter(({ beatAt }) => now - beatAt <= ALIVE_MS);
  }

  function infoOf({ group, address, registeredAt, beatAt }: RegisteredExecutor): ExecutorInfo {
    return { group, address, kind: 'remote', registeredAt, beatAt, breaker: calls.breaker(address) };
  }

  function localInfo({ group, address, registeredAt }: LocalExecutor): ExecutorInfo {
    return { group, address, kind: 'local', registeredAt, beatAt: node.time.now(), breaker: 'closed' };
  }

  return {
    addLocal(executor) {
      if (locals.has(executor.address)) {
        throw new TimeRingError('address-taken', `Another executor of this ring has the address ${executor.address}`, {
          field: 'address',
          value: executor.address,
        });
      }
      locals.set(executor.address, executor);
      readings.delete(executor.group);
      node.emitter.emit('executor-registered', localInfo(executor));
    },
    removeLocal(executor) {
      if (locals.get(executor.address) !== executor) return;
      locals.delete(executor.address);
      readings.delete(executor.group);
      node.emitter.emit('executor-removed', localInfo(executor));
    },
    local: (address) => locals.get(address),
    locals: () => [...locals.values()],
    addresses,
    async list(group) {
      const here = [...locals.values()].filter((executor) => group === undefined || executor.group === group);
      const there = alive(await node.store.executors(group));
      return [...here.map(localInfo), ...there.map(infoOf)].sort(
        (a, b) => compare(a.group, b.group) || compare(a.address, b.address),
      );
    },
    async register({ group, address }) {
      checkName('group', group);
      checkName('address', address);
      const at = node.time.now();
      const put = await node.store.transaction(async (trx) => {
        const result = await trx.putExecutor({ group, address, at });
        if (result === 'new' && (await countOf(trx)) > limits.maxExecutors) throw tooMany(limits.maxExecutors);
        return result;
      });
      if (put === 'new') count.value += 1;
      readings.delete(group);
      if (put === 'new') {
        node.emitter.emit('executor-registered', infoOf({ group, address, registeredAt: at, beatAt: at }));
      }
    },
    async remove({ group, address }) {
      const removed = await node.store.transaction((trx) => trx.removeExecutor(group, address));
      readings.delete(group);
      if (removed !== null) node.emitter.emit('executor-removed', infoOf(removed));
    },
    forget: (group) => void (group === undefined ? readings.clear() : readings.delete(group)),
    infoOf,
  };
}

function tooMany(maxExecutors: number): TimeRingError {
  return new TimeRingError('bad-option', `${maxExecutors} executors are registered: raise http.maxExecutors`, {
    field: 'maxExecutors',
    value: maxExecutors,
  });
}

function checkName(field: string, value: unknown): void {
  if (typeof value === 'string' && value.length > 0 && value.length <= 255) return;
  throw new TimeRingError('bad-option', `${field} must be a text of 1 to 255 characters; got ${String(value)}`, {
    field,
    value,
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
