import type { EpochMs } from '@horae/clock-store';
import { badOption, TimeRingError } from '../../model/errors.js';
import type { ExecutorInfo } from '../../model/events.js';
import type { RunRow } from '../../model/run.js';
import type { ExecutorRegistration, JobTransaction, RegisteredExecutor } from '../../store/job-store.js';
import type { RemoteCalls } from '../../workbench/remote-calls.js';
import type { RunSlots } from '../../workbench/run-slots.js';
import { executorInfo, livingExecutors } from '../node/living-executors.js';
import type { RingNode } from '../node/ring-node.js';
import { ExecutorCount } from './executor-count.js';
import { type GroupMembers, groupMembers, manualExecutors } from './group-members.js';

/** An executor in this process. */
export interface LocalExecutor {
  readonly group: string;
  readonly address: string;
  readonly registeredAt: EpochMs;
  readonly handlers: readonly string[];
  readonly slots: RunSlots;
}

/** The registration of a remote executor, with what it announces. */
export interface RemoteRegistration {
  readonly group: string;
  readonly address: string;
  readonly handlers?: readonly string[] | null;
  readonly instanceId?: string | null;
}

/** The executors of the whole ring that can receive runs. */
export interface ExecutorRegistry {
  addLocal(executor: LocalExecutor): Promise<void>;
  removeLocal(executor: LocalExecutor): Promise<void>;
  local(address: string): LocalExecutor | undefined;
  locals(): readonly LocalExecutor[];
  /** The living executors of a group; returned without a promise if they were read within the last second. */
  members(group: string): GroupMembers | Promise<GroupMembers>;
  list(group?: string): Promise<readonly ExecutorInfo[]>;
  register(executor: RemoteRegistration): Promise<void>;
  remove(executor: { group: string; address: string }): Promise<void>;
  /** Invalidates the cached members of a group, or of all groups. */
  forget(group?: string): void;
  /** Writes this node's executors to the database, unless they are unchanged and were written recently. */
  publish(): Promise<void>;
  /** Removes this node's executors from the database, so that other nodes hand nothing more over to them; they keep working here. */
  unpublish(): Promise<void>;
  /** Sets the listener that is called when a new executor can receive runs: one of this node, or of others. */
  onJoined(listener: (isOwn: boolean) => void): void;
  infoOf(executor: RegisteredExecutor): ExecutorInfo;
  /** Sets the check that finds the runs a restarted executor has lost. */
  onRestarted(check: RestartCheck): void;
}

/** Handles the runs of a remote executor that comes back under its old address. */
export interface RestartCheck {
  /** Sets a time limit on its runs in the transaction that registers it; returns the runs as they were before. */
  limit(trx: JobTransaction, address: string): Promise<readonly RunRow[]>;
  /** Queries the executor about the runs. `isExact`: it can report for every run whether it has it. */
  ask(rows: readonly RunRow[], how: { readonly isExact: boolean }): Promise<void>;
}

/** How long other nodes' registrations may go unnoticed. */
const FRESH_MS = 1_000;
/** How often a node writes its executors again: other nodes may have considered it dead and removed them. */
const PUBLISH_MS = 30_000;

export function createExecutorRegistry(
  node: RingNode,
  calls: RemoteCalls,
  limits: { maxExecutors: number },
): ExecutorRegistry {
  const locals = new Map<string, LocalExecutor>();
  const readings = new Map<
    string,
    { readonly readAt: number; readonly members: GroupMembers | Promise<GroupMembers> }
  >();
  const count = new ExecutorCount(node.clock);
  let published = { at: Number.NEGATIVE_INFINITY, handlers: '' };
  let joined: (isOwn: boolean) => void = () => {};
  let restarts: RestartCheck = { limit: async () => [], ask: async () => {} };

  /** `isSuspect`: it could not be called before, and announces no instance id that would show a restart. */
  async function put(
    executor: ExecutorRegistration,
    isSuspect: boolean,
  ): Promise<{ readonly isNew: boolean; readonly uncertain: readonly RunRow[] }> {
    let isWritten = false;
    try {
      const result = await node.store.transaction(async (trx) => {
        count.end(executor, false);
        const written = await trx.putExecutor(executor);
        if (written !== 'new') {
          const isRestarted = written === 'restarted' || isSuspect;
          return { isNew: false, uncertain: isRestarted ? await restarts.limit(trx, executor.address) : [] };
        }
        if ((await count.others(trx, executor)) >= limits.maxExecutors) throw tooMany(limits.maxExecutors);
        count.begin(executor);
        return { isNew: true, uncertain: [] };
      });
      isWritten = true;
      return result;
    } finally {
      count.end(executor, isWritten);
    }
  }

  /** Thousands of triggers per second share one reading. */
  function members(group: string): GroupMembers | Promise<GroupMembers> {
    const readAt = node.clock.monotonicMs();
    const known = readings.get(group);
    if (known !== undefined && readAt - known.readAt < FRESH_MS) return known.members;
    const reading = read(group, readAt);
    readings.set(group, { readAt, members: reading });
    reading.catch(() => readings.delete(group));
    return reading;
  }

  async function read(group: string, readAt: number): Promise<GroupMembers> {
    const there = alive(await node.store.executors(group));
    const manual = manualExecutors(await node.store.groups([group]), there, node.time.now());
    const here = [...locals.values()].filter((executor) => executor.group === group);
    const found = groupMembers(here, [...there, ...manual], node.owner);
    // A change meanwhile has invalidated this reading.
    if (readings.get(group)?.readAt === readAt) readings.set(group, { readAt, members: found });
    return found;
  }

  function alive(executors: readonly RegisteredExecutor[]): readonly RegisteredExecutor[] {
    return livingExecutors(executors, node.liveness, node.time.now());
  }

  function infoOf(executor: RegisteredExecutor): ExecutorInfo {
    return executorInfo(executor, calls.breaker);
  }

  function registrationOf({ group, address, handlers }: LocalExecutor) {
    return { group, address, handlers, nodeOwner: node.owner, nodeId: node.options.nodeId, instanceId: null };
  }

  function localInfo(executor: LocalExecutor): ExecutorInfo {
    const beatAt = node.time.now();
    return infoOf({ ...registrationOf(executor), registeredAt: executor.registeredAt, beatAt });
  }

  async function publish(): Promise<void> {
    const at = node.clock.monotonicMs();
    const handlers = JSON.stringify([...locals.values()].map((executor) => [executor.address, executor.handlers]));
    const isChanged = handlers !== published.handlers;
    if (locals.size === 0 || (!isChanged && at - published.at < PUBLISH_MS)) return;
    await node.store.transaction(async (trx) => {
      await trx.keepNode({ owner: node.owner, nodeId: node.options.nodeId, beatAt: node.time.now() });
      for (const executor of locals.values()) {
        await trx.putExecutor({ ...registrationOf(executor), at: executor.registeredAt });
      }
    });
    published = { at, handlers };
    if (!isChanged) return;
    readings.clear();
    joined(false);
  }

  /** Other nodes see it with a later pass at the latest: a lost database keeps no executor from working here. */
  async function tryToWrite(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      node.log.warn({ err: error }, 'Other nodes do not know this node’s executors yet; the next pass tries again');
    }
  }

  return {
    async addLocal(executor) {
      if (locals.has(executor.address)) throw addressTaken(executor.address);
      locals.set(executor.address, executor);
      readings.delete(executor.group);
      await tryToWrite(publish);
      node.emitter.emit('executor-registered', localInfo(executor));
      joined(true);
    },
    async removeLocal(executor) {
      if (locals.get(executor.address) !== executor) return;
      locals.delete(executor.address);
      readings.delete(executor.group);
      published.handlers = '';
      await tryToWrite(() => node.store.transaction((trx) => trx.removeExecutor(registrationOf(executor))));
      node.emitter.emit('executor-removed', localInfo(executor));
    },
    local: (address) => locals.get(address),
    locals: () => [...locals.values()],
    members,
    async list(group) {
      const here = [...locals.values()].filter((executor) => group === undefined || executor.group === group);
      const registered = alive(await node.store.executors(group));
      const there = registered.filter(({ nodeOwner }) => nodeOwner !== node.owner);
      const groups = await node.store.groups(group === undefined ? null : [group]);
      const manual = manualExecutors(groups, there, node.time.now());
      return [...here.map(localInfo), ...[...there, ...manual].map(infoOf)].sort(
        (a, b) => compare(a.group, b.group) || compare(a.address, b.address) || compare(a.nodeId ?? '', b.nodeId ?? ''),
      );
    },
    async register({ group, address, handlers = null, instanceId = null }) {
      checkName('group', group);
      checkName('address', address);
      const at = node.time.now();
      const remote = { group, address, handlers, instanceId, nodeOwner: null, nodeId: null };
      const isSuspect = instanceId === null && calls.breaker(address) !== 'closed';
      const { isNew, uncertain } = await put({ ...remote, at }, isSuspect);
      readings.delete(group);
      calls.closeBreaker(address);
      if (uncertain.length > 0) void restarts.ask(uncertain, { isExact: instanceId !== null });
      if (isNew) {
        node.emitter.emit('executor-registered', infoOf({ ...remote, registeredAt: at, beatAt: at }));
      }
      joined(false);
    },
    async remove({ group, address }) {
      const removed = await node.store.transaction((trx) => trx.removeExecutor({ group, address, nodeOwner: null }));
      readings.delete(group);
      if (removed !== null) node.emitter.emit('executor-removed', infoOf(removed));
    },
    forget: (group) => void (group === undefined ? readings.clear() : readings.delete(group)),
    publish,
    async unpublish() {
      if (locals.size === 0) return;
      await node.store.transaction(async (trx) => {
        for (const executor of locals.values()) await trx.removeExecutor(registrationOf(executor));
      });
    },
    onJoined(listener) {
      joined = listener;
    },
    infoOf,
    onRestarted(check) {
      restarts = check;
    },
  };
}

function addressTaken(address: string): TimeRingError {
  return new TimeRingError('address-taken', `Another executor of this ring has the address ${address}`, {
    field: 'address',
    value: address,
  });
}

function tooMany(maxExecutors: number): TimeRingError {
  return new TimeRingError('bad-option', `${maxExecutors} executors are registered: raise http.maxExecutors`, {
    field: 'maxExecutors',
    value: maxExecutors,
  });
}

function checkName(field: string, value: unknown): void {
  if (typeof value === 'string' && value.length > 0 && value.length <= 255) return;
  throw badOption(field, value, 'a text of 1 to 255 characters');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
