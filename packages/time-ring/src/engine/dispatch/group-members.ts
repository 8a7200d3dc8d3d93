import type { EpochMs } from '@horae/clock-store';
import { type Candidate, CandidateList, keyed } from '../../routing/candidates.js';
import type { StoredGroup } from '../../store/group-store.js';
import type { RegisteredExecutor } from '../../store/job-store.js';

/** The living executors of a group, as of one reading. */
export class GroupMembers {
  private readonly lists = new Map<string, CandidateList>();

  constructor(readonly all: readonly Candidate[]) {}

  /** The members that have a handler, or have not announced their handlers. */
  withHandler(handler: string): CandidateList {
    let list = this.lists.get(handler);
    if (list === undefined) {
      list = new CandidateList(this.all.filter(({ handlers }) => handlers === null || handlers.includes(handler)));
      this.lists.set(handler, list);
    }
    return list;
  }
}

/** The members of a group: this node's own from memory, and all others as they are registered. */
export function groupMembers(
  own: readonly { readonly address: string; readonly handlers: readonly string[] }[],
  others: readonly RegisteredExecutor[],
  owner: string,
): GroupMembers {
  const found: Omit<Candidate, 'key'>[] = own.map(({ address, handlers }) => ({
    address,
    handlers,
    place: 'own',
    nodeOwner: owner,
  }));
  for (const { address, handlers, nodeOwner } of others) {
    if (nodeOwner === owner) continue;
    found.push({ address, handlers, nodeOwner, place: nodeOwner === null ? 'remote' : 'node' });
  }
  found.sort((a, b) => compare(a.address, b.address) || compare(a.nodeOwner ?? '', b.nodeOwner ?? ''));
  return new GroupMembers(keyed(found));
}

/** The executors set by address for a group that have not registered: they count as alive and as having every handler. */
export function manualExecutors(
  groups: readonly StoredGroup[],
  registered: readonly RegisteredExecutor[],
  now: EpochMs,
): RegisteredExecutor[] {
  const known = new Set(registered.map(({ group, address }) => `${group} ${address}`));
  return groups.flatMap(({ name, addresses, createdAt }) =>
    addresses
      .filter((address) => !known.has(`${name} ${address}`))
      .map((address) => ({
        ...{ group: name, address, registeredAt: createdAt, beatAt: now },
        ...{ nodeOwner: null, nodeId: null, handlers: null, instanceId: null },
      })),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
