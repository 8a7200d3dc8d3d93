import type { AttachmentKey, EdgeKey, NodeKey, PortKey } from '../keys/resource-keys.js';

/**
 * Everything that a rewrite may touch: the keys it reads, adds to and writes, and the boundary ports it claims. Frozen; every set is in key
 * order and has no duplicates. It must cover every effect of the rewrite; it may declare too much, never too little.
 *
 * Adds to one key commute with each other and with nothing else. A footprint without adds inherits its empty add sets, so that it
 * looks, prints and compares as one of eight sets.
 */
export interface Footprint {
  readonly nRead: readonly NodeKey[];
  readonly nAdd: readonly NodeKey[];
  readonly nWrite: readonly NodeKey[];
  readonly eRead: readonly EdgeKey[];
  readonly eAdd: readonly EdgeKey[];
  readonly eWrite: readonly EdgeKey[];
  readonly aRead: readonly AttachmentKey[];
  readonly aAdd: readonly AttachmentKey[];
  readonly aWrite: readonly AttachmentKey[];
  readonly bIn: readonly PortKey[];
  readonly bOut: readonly PortKey[];
  /** 64 bits; two masks without a common bit promise independence. Only `independent` and the legacy kind read it. */
  readonly factorMask: bigint;
}

/** The argument of `footprint()`: every set may be missing, in any order, with duplicates. */
export interface FootprintSets {
  readonly nRead?: Iterable<NodeKey>;
  readonly nAdd?: Iterable<NodeKey>;
  readonly nWrite?: Iterable<NodeKey>;
  readonly eRead?: Iterable<EdgeKey>;
  readonly eAdd?: Iterable<EdgeKey>;
  readonly eWrite?: Iterable<EdgeKey>;
  readonly aRead?: Iterable<AttachmentKey>;
  readonly aAdd?: Iterable<AttachmentKey>;
  readonly aWrite?: Iterable<AttachmentKey>;
  readonly bIn?: Iterable<PortKey>;
  readonly bOut?: Iterable<PortKey>;
  readonly factorMask?: bigint;
}
