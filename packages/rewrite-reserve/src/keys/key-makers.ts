import { assertId, KeyReader } from './key-forms.js';
import type {
  AttachmentKey,
  Id,
  NodeKey,
  Path,
  PointKey,
  PortKey,
  RangeKey,
  Segment,
  SubtreeKey,
} from './resource-keys.js';
import { RewriteInputError } from './rewrite-errors.js';
import { Sha256 } from './sha256.js';

/** The point at a path and everything below it, without its warp. */
export type Subtree = { readonly path: Path; readonly subtree: true };

/** Everything below a path with the next segment in `[from, to)`, without its warp. */
export type Range = { readonly path: Path; readonly from?: Segment; readonly to?: Segment };

/** Makes a key from an id, a path, a subtree or a range. */
export interface NamedKeyMaker {
  (id: Id | Path): PointKey;
  (along: Subtree): SubtreeKey;
  (along: Range): RangeKey;
  (id: Id | Path | Subtree | Range): NodeKey;
}

/** Makes keys of one warp. */
export interface KeyMakers {
  readonly node: NamedKeyMaker;
  readonly edge: NamedKeyMaker;
  port(number: bigint | number): PortKey;
  attachment(owner: 'node' | 'edge', id: Id | Path | Subtree | Range, plane: 'alpha' | 'beta'): AttachmentKey;
}

/**
 * Shorthand for keys of one warp: `keys('book').node('ann')` is `{ warp: 'book', id: 'ann' }`. A path is an array, a subtree
 * `{ path, subtree: true }`, a range `{ path, from, to }`. The keys are plain, checked and frozen; throws 'bad-key'.
 */
export function keys(warp: Id): KeyMakers {
  assertId(warp, 'warp');
  const reader = new KeyReader();
  const named = (id: unknown) => (isAlong(id) ? { ...id, warp } : { warp, id });
  const node = (id: unknown): never => reader.named(named(id), 'key') as never;
  return Object.freeze({
    node,
    edge: node,
    port: (port: bigint | number) => reader.port({ warp, port }, 'key'),
    attachment: (owner: unknown, id: unknown, plane: unknown) =>
      reader.attachment({ ...named(id), owner, plane }, 'key'),
  });
}

/** 32 bytes for `scopeHash`: the SHA-256 of bytes, or of a text as UTF-8. */
export function scopeHash(of: string | Uint8Array): Uint8Array {
  if (typeof of !== 'string' && !(of instanceof Uint8Array)) {
    const text = `scopeHash() takes a string or a Uint8Array, got ${String(of)}`;
    throw new RewriteInputError('bad-scope-hash', text, { field: 'of', value: of });
  }
  return new Sha256().update(typeof of === 'string' ? new TextEncoder().encode(of) : of).digest();
}

function isAlong(id: unknown): id is object {
  return typeof id === 'object' && id !== null && 'path' in id;
}
