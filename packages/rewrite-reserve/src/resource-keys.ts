/**
 * A name in one of three forms: an unsigned 32-bit handle, exactly 32 bytes, or a text. Forms never equal each other: `7`,
 * `'7'` and 32 bytes are three names.
 */
export type Id = number | Uint8Array | string;

/** A node: the warp (graph instance) it lives in and its name there. Compared by value, never by object identity. */
export interface NodeKey {
  readonly warp: Id;
  readonly id: Id;
}

/** An edge: the warp it lives in and its name there. The node of the same name is another resource. */
export interface EdgeKey {
  readonly warp: Id;
  readonly id: Id;
}

/** A value attached to a node or an edge, on one of two planes. The four combinations are four keys. */
export interface AttachmentKey {
  readonly owner: 'node' | 'edge';
  readonly warp: Id;
  readonly id: Id;
  readonly plane: 'alpha' | 'beta';
}

/** A boundary port: an unsigned 64-bit number in a warp. `5` and `5n` are the same port; it is given back as a bigint. */
export interface PortKey {
  readonly warp: Id;
  readonly port: bigint | number;
}

/** The four separate spaces of resources. */
export type Category = 'node' | 'edge' | 'attachment' | 'port';

/** A key of any category. */
export type ResourceKey = NodeKey | EdgeKey | AttachmentKey | PortKey;
