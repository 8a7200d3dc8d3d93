import { compareBytes } from './key-order.js';
import type { AttachmentKey, Category, EdgeKey, Id, NodeKey, PortKey, ResourceKey } from './resource-keys.js';
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
  private ownWarp: Id = 0;

  /** The key of `category` that `value` describes; throws 'bad-key' that names `field`. */
  read(category: Category, value: unknown, field: string): ResourceKey {
    if (category === 'port') return this.port(value, field);
    if (category === 'attachment') return this.attachment(value, field);
    return this.named(value, field);
  }

  named(value: unknown, field: string): NodeKey & EdgeKey {
    const given = keyObject(value, field) as NodeKey;
    return Object.freeze({ warp: this.warp(given.warp, field), id: ownId(given.id, `${field}.id`) });
  }

  attachment(value: unknown, field: string): AttachmentKey {
    const { owner, warp, id, plane } = keyObject(value, field) as unknown as AttachmentKey;
    if (owner !== 'node' && owner !== 'edge') throw badKey(`${field}.owner`, owner, "use 'node' or 'edge'");
    if (plane !== 'alpha' && plane !== 'beta') throw badKey(`${field}.plane`, plane, "use 'alpha' or 'beta'");
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

  private warp(value: unknown, field: string): Id {
    // Compared by content: the same buffer may hold another warp by now.
    if (typeof this.ownWarp === 'object' && is32Bytes(value) && compareBytes(this.ownWarp, value) === 0) {
      return this.ownWarp;
    }
    this.ownWarp = ownId(value, `${field}.warp`);
    return this.ownWarp;
  }
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
