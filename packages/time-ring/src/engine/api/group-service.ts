import type { z } from 'zod';
import { TimeRingError } from '../../model/errors.js';
import type { Group, Groups } from '../../model/group.js';
import { groupShape } from '../../schedule/parse-group.js';
import type { StoredGroup } from '../../store/group-store.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { ExecutorRegistry } from '../dispatch/registry.js';
import type { WaitingRuns } from '../dispatch/waiting-runs.js';
import type { ServiceNode } from './service-node.js';

/** The groups of a ring. */
export function createGroupService(
  node: ServiceNode,
  {
    registry,
    waiting,
    onChanged = () => {},
  }: {
    registry: Pick<ExecutorRegistry, 'forget'>;
    waiting: Pick<WaitingRuns, 'relieve'>;
    onChanged?: (group: Group) => void;
  },
): Groups {
  const { store, time } = node;

  /** Changes a group that exists or may be created; no run of it starts meanwhile. */
  async function change(
    name: string,
    { isMade }: { isMade: boolean },
    work: (trx: JobTransaction, group: StoredGroup, at: number) => Promise<StoredGroup>,
  ): Promise<Group> {
    checkName(name);
    const after = await store.transaction(async (trx) => {
      await trx.lockGroups();
      const at = await time.read(trx);
      const [known] = await trx.groups([name]);
      if (known === undefined && !isMade && !(await trx.namedGroups()).includes(name)) throw unknownGroup(name);
      const changed = await work(trx, known ?? newGroup(name, at), at);
      await trx.putGroup(changed);
      return changed;
    });
    registry.forget(name);
    waiting.relieve();
    onChanged(shown(after));
    return shown(after);
  }

  async function remove(name: string): Promise<void> {
    checkName(name);
    await store.transaction(async (trx) => {
      await trx.lockGroups();
      const [user] = await trx.jobs({ executorGroup: name, limit: 1, afterId: 0 });
      if (user !== undefined) {
        const message = `Job ${user.id} is of the group "${name}": give it another executorGroup first`;
        throw new TimeRingError('group-in-use', message, { field: 'name', value: name, jobId: user.id });
      }
      const [known] = await trx.groups([name]);
      if (known === undefined && !(await trx.namedGroups()).includes(name)) throw unknownGroup(name);
      await trx.deleteGroup(name);
    });
    registry.forget(name);
  }

  return {
    remove,
    put(input) {
      const { name, ...settings } = readGroup(input);
      return change(name, { isMade: true }, async (_trx, group) => ({ ...group, ...settings }));
    },
    putAlerts(name, rules) {
      const { alerts } = readGroup({ name, alerts: rules });
      return change(name, { isMade: true }, async (_trx, group) => ({ ...group, alerts }));
    },
    pause: (name) =>
      change(name, { isMade: true }, async (trx, group, at) => {
        if (group.pausedAt !== null) return group;
        await trx.pauseWaiting(name);
        return { ...group, pausedAt: at };
      }),
    resume: (name) =>
      change(name, { isMade: false }, async (trx, group, at) => {
        const { pausedAt } = group;
        if (pausedAt !== null) await trx.resumeWaiting({ group: name, pausedAt, now: at });
        return { ...group, pausedAt: null };
      }),
    async list() {
      const put = await store.groups(null);
      const known = new Set(put.map(({ name }) => name));
      const named = (await store.namedGroups()).filter((name) => !known.has(name)).map((name) => newGroup(name, 0));
      return [...put, ...named].sort((a, b) => (a.name < b.name ? -1 : 1)).map(shown);
    },
  };
}

function newGroup(name: string, createdAt: number): StoredGroup {
  return { name, title: '', addresses: [], maxRunning: null, rate: null, alerts: [], pausedAt: null, createdAt };
}

function shown({ name, title, addresses, maxRunning, rate, alerts, pausedAt }: StoredGroup): Group {
  return { name, title, addresses, maxRunning, rate, alerts, paused: pausedAt !== null };
}

function readGroup(input: unknown): z.output<typeof groupShape> {
  const read = groupShape.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const unknown = issue!.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = [...issue!.path.map(String), ...(unknown === undefined ? [] : [unknown])].join('.') || 'group';
  throw new TimeRingError('bad-group', `${field}: ${issue!.message}`, { field, value: input });
}

function checkName(name: unknown): void {
  if (typeof name === 'string' && name.length > 0 && name.length <= 255) return;
  throw new TimeRingError('bad-group', 'name must be a text of 1 to 255 characters', { field: 'name', value: name });
}

function unknownGroup(name: string): TimeRingError {
  return new TimeRingError('unknown-group', `There is no group "${name}"; groups.list shows those there are`, {
    field: 'name',
    value: name,
  });
}
