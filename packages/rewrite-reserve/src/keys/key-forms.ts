import { compareBytes } from './key-order.js';
import { compareSegments, isPathKey, MAX_SEGMENTS } from './path-keys.js';
import type {
  AttachmentKey,
  Category,
  Id,
  NodeKey,
  Path,
  PathKey,
  PortKey,
  ResourceKey,
  Segment,
} from './resource-keys.js';
import { RewriteInputError } from './rewrite-errors.js';

const U64_LIMIT = 1n << 64n;

/** Whether `value` is an unsigned 32-bit integer. */
export function isU32(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value;
}

/** Whether `value` is a byte array of exactly 32 bytes. */
export function is32Bytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.length === 32;
}

/** Throws 'bad-key' unless `value` names one resource: an id in one of the three forms, or a path. */
export function assertPoint(value: unknown, field: string): asserts value is Id | Path {
  if (Array.isArray(value)) ownPath(value, field);
  else assertId(value, field);
}

/** Throws 'bad-key' unless `value` is a name in one of the three forms. */
export function assertId(value: unknown, field: string): asserts value is Id {
  if (typeof value === 'string' || isU32(value) || is32Bytes(value)) return;
  throw badKey(field, value, 'use an unsigned 32-bit integer, a Uint8Array of 32 bytes, or a string');
}

/**
 * The same name, safe from later changes: bytes are copied, so that a buffer its owner reuses cannot change a key, and -0
 * becomes 0.
 */
function ownId(value: unknown, field: string): Id {
  assertId(value, field);
  if (typeof value === 'number') return value >>> 0;
  return typeof value === 'string' ? value : new Uint8Array(value);
}

/** Makes canonical, frozen keys. Neighbours in the same warp share its copy, which most footprints profit from. */
export class KeyReader {
  /** Whether a key with a path has been read. */
  sawPath = false;
  private ownWarp: Id = 0;

  /** The key of `category` that `value` describes; throws 'bad-key' that names `field`. */
  read(category: Category, value: unknown, field: string): ResourceKey {
    if (category === 'port') return this.port(value, field);
    if (category === 'attachment') return this.attachment(value, field);
    return this.named(value, field);
  }

  named(value: unknown, field: string): NodeKey {
    const given = keyObject(value, field) as NodeKey;
    if (isPathKey(given)) return Object.freeze(this.alongPath(given, field));
    return Object.freeze({ warp: this.warp(given.warp, field), id: ownId(given.id, `${field}.id`) });
  }

  attachment(value: unknown, field: string): AttachmentKey {
    const given = keyObject(value, field) as AttachmentKey;
    const { owner, warp, id, plane } = given;
    if (owner !== 'node' && owner !== 'edge') throw badKey(`${field}.owner`, owner, "use 'node' or 'edge'");
    if (plane !== 'alpha' && plane !== 'beta') throw badKey(`${field}.plane`, plane, "use 'alpha' or 'beta'");
    if (isPathKey(given)) return Object.freeze({ owner, ...this.alongPath(given, field), plane });
    return Object.freeze({ owner, warp: this.warp(warp, field), id: ownId(id, `${field}.id`), plane });
  }

  port(value: unknown, field: string): PortKey {
    const { warp, port } = keyObject(value, field) as unknown as PortKey;
    const number = typeof port === 'number' && Number.isSafeInteger(port) ? BigInt(port) : port;
    if (typeof number !== 'bigint' || number < 0n || number >= U64_LIMIT) {
      throw badKey(`${field}.port`, port, 'use a bigint from 0 to 2^64 - 1, or a safe integer from 0');
    }
    return Object.freeze({ warp: this.warp(warp, field), port: number });
  }

  /** The point, subtree or range of a key with a path, in its original form. */
  private alongPath(given: PathKey, field: string): PathKey {
    this.sawPath = true;
    const warp = this.warp(given.warp, field);
    if (given.path === undefined) return { warp, id: ownPath(given.id, `${field}.id`) };
    if (given.id !== undefined) throw badKey(field, given, 'use either id or path');
    const path = ownPath(given.path, `${field}.path`);
    if (given.subtree === undefined) return { warp, path, ...ownBounds(given.from, given.to, field) };
    if (given.subtree !== true || given.from !== undefined || given.to !== undefined) {
      throw badKey(field, given, 'use { path, subtree: true } or { path, from, to }');
    }
    return { warp, path, subtree: true };
  }

  private warp(value: unknown, field: string): Id {
    // Compared by content: the same buffer may hold another warp by now.
    if (typeof this.ownWarp === 'object' && is32Bytes(value) && compareBytes(this.ownWarp, value) === 0) {
      return this.ownWarp;
    }
    this.ownWarp = ownId(value, `${field}.warp`);
    return this.ownWarp;
  }
}

function ownPath(value: unknown, field: string): Path {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_SEGMENTS) {
    throw badKey(field, value, `use an array of 1 to ${MAX_SEGMENTS} segments`);
  }
  return Object.freeze(Array.from(value, (segment: unknown, at) => ownSegment(segment, `${field}[${at}]`)));
}

function ownSegment(value: unknown, field: string): Segment {
  if (typeof value === 'string') return value;
  if (isU32(value)) return value >>> 0;
  throw badKey(field, value, 'use a string or an unsigned 32-bit integer as a segment');
}

/** The bounds that are there. An empty range is refused: it would declare nothing, most likely by mistake. */
function ownBounds(from: unknown, to: unknown, field: string): { from?: Segment; to?: Segment } {
  const bounds = {
    ...(from === undefined ? {} : { from: ownSegment(from, `${field}.from`) }),
    ...(to === undefined ? {} : { to: ownSegment(to, `${field}.to`) }),
  };
  if (bounds.from === undefined && bounds.to === undefined) {
    throw badKey(field, 'no bound', 'add subtree: true, or from, or to');
  }
  // 0 is the first of all segments.
  if (bounds.to !== undefined && compareSegments(bounds.from ?? 0, bounds.to) >= 0) {
    throw badKey(`${field}.to`, to, `use a bound after ${String(bounds.from ?? 0)}: the range is empty`);
  }
  return bounds;
}

function keyObject(value: unknown, field: string): object {
  if (typeof value === 'object' && value !== null) return value;
  throw badKey(field, value, 'use an object such as { warp, id }');
}

/** The error of a key, or a set of keys, that has the wrong form. */
export function badKey(field: string, value: unknown, remedy: string): RewriteInputError {
  const shown = typeof value === 'object' && value !== null ? Object.prototype.toString.call(value) : String(value);
  return new RewriteInputError('bad-key', `${field} is not a usable key (got ${shown}): ${remedy}`, { field, value });
}
