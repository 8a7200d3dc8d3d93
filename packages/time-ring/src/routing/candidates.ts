import type { RouteStrategy } from '../model/job.js';

/** An executor that may receive a run: one of this node, one in another node's process, or a remote one. */
export interface Candidate {
  /** Its key in the route memory: its address, with its node where several nodes have the same address. */
  readonly key: string;
  readonly address: string;
  readonly place: 'own' | 'node' | 'remote';
  /** The node whose process it runs in; null for a remote executor. */
  readonly nodeOwner: string | null;
  /** Null: not announced, which counts as all. */
  readonly handlers: readonly string[] | null;
}

/** The executors of a group that have a handler, in the orders that the strategies use. */
export class CandidateList {
  private readonly byKey: ReadonlyMap<string, Candidate>;
  private readonly ring: readonly string[];
  private readonly ownFirst: readonly string[];
  private readonly ownLast: readonly string[];
  private readonly preferred: readonly string[];

  /** `all` by (address, node). */
  constructor(readonly all: readonly Candidate[]) {
    this.byKey = new Map(all.map((candidate) => [candidate.key, candidate]));
    this.ring = all.map(keyOf);
    const own = all.filter(({ place }) => place === 'own').map(keyOf);
    const isMixed = own.length > 0 && own.length < all.length;
    this.ownFirst = isMixed ? [...all].sort((a, b) => byAddress(a, b) || isOwn(b) - isOwn(a)).map(keyOf) : this.ring;
    this.ownLast = isMixed ? [...all].sort((a, b) => byAddress(a, b) || isOwn(a) - isOwn(b)).map(keyOf) : this.ring;
    this.preferred = own.length > 0 ? own : this.ring;
  }

  /**
   * The keys a strategy chooses from. Where it does not distinguish executors, a node prefers its own: among those with the same address
   * for strategies that use the order of the list, among all for RANDOM.
   */
  keysFor(strategy: RouteStrategy): readonly string[] {
    switch (strategy) {
      case 'FIRST':
      case 'FAILOVER':
      case 'BUSYOVER':
        return this.ownFirst;
      case 'LAST':
        return this.ownLast;
      case 'RANDOM':
        return this.preferred;
      default:
        return this.ring;
    }
  }

  get(key: string): Candidate {
    return this.byKey.get(key)!;
  }

  /** The candidates for which `keep` returns true; the list itself when that is all of them. */
  filter(keep: (candidate: Candidate) => boolean): CandidateList {
    return this.all.every(keep) ? this : new CandidateList(this.all.filter(keep));
  }
}

/** Assigns every candidate its key; `found` is ordered by (address, node). */
export function keyed(found: readonly Omit<Candidate, 'key'>[]): readonly Candidate[] {
  const counts = new Map<string, number>();
  for (const { address } of found) counts.set(address, (counts.get(address) ?? 0) + 1);
  return found.map((candidate) => ({
    ...candidate,
    key: counts.get(candidate.address) === 1 ? candidate.address : `${candidate.address}@${candidate.nodeOwner ?? ''}`,
  }));
}

function keyOf({ key }: Candidate): string {
  return key;
}

function isOwn({ place }: Candidate): number {
  return place === 'own' ? 1 : 0;
}

function byAddress(a: Candidate, b: Candidate): number {
  return a.address < b.address ? -1 : Number(a.address > b.address);
}
