/**
 * A name in one of three forms: an unsigned 32-bit handle, exactly 32 bytes, or a text. Forms never equal each other: `7`,
 * `'7'` and 32 bytes are three names.
 */
export type Id = number | Uint8Array | string;

/** One step of a path: an unsigned 32-bit number or a text. Numbers stand before texts. */
export type Segment = string | number;

/** 1 to 64 segments from the outermost to the innermost, such as `['doc', 'section', 4]`. A path never equals a flat id. */
export type Path = readonly Segment[];

/** One resource, by a flat id or by a path. */
export interface PointKey {
  readonly warp: Id;
  readonly id: Id | Path;
  readonly path?: never;
  readonly subtree?: never;
  readonly from?: never;
  readonly to?: never;
}

/** The point at `path` and everything below it. */
export interface SubtreeKey {
  readonly warp: Id;
  readonly path: Path;
  readonly subtree: true;
  readonly id?: never;
  readonly from?: never;
  readonly to?: never;
}

/** Everything below `path` whose next segment is in `[from, to)`. At least one bound; a missing one is open. */
export interface RangeKey {
  readonly warp: Id;
  readonly path: Path;
  readonly from?: Segment;
  readonly to?: Segment;
  readonly id?: never;
  readonly subtree?: never;
}

/** A key that contains a path: a point, a subtree or a range. Two of them collide exactly when they intersect. */
export type PathKey = (PointKey & { readonly id: Path }) | SubtreeKey | RangeKey;

/**
 * A node, or a set of nodes along a path, in a warp (graph instance). Compared by value, never by object identity.
 */
export type NodeKey = PointKey | SubtreeKey | RangeKey;

/** An edge, or a set of edges along a path. The node of the same name is another resource. */
export type EdgeKey = NodeKey;

/** A value attached to a node or an edge, on one of two planes. The four combinations are four keys. */
export type AttachmentKey = NodeKey & {
  readonly owner: 'node' | 'edge';
  readonly plane: 'alpha' | 'beta';
};

/** A boundary port: an unsigned 64-bit number in a warp. `5` and `5n` are the same port; it is returned as a bigint. */
export interface PortKey {
  readonly warp: Id;
  readonly port: bigint | number;
}

/** The four separate spaces of resources. */
export type Category = 'node' | 'edge' | 'attachment' | 'port';

/** A key of any category. */
export type ResourceKey = NodeKey | EdgeKey | AttachmentKey | PortKey;
