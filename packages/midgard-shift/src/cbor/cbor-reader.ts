import { toHex } from '../state/hex.js';
import { refuse } from '../state/midgard-input-error.js';
import { BIG_NEGATIVE_TAG, BIG_POSITIVE_TAG, BREAK, constrOfTag, GENERAL_CONSTR_TAG, Major } from './plutus-data.js';
import { PlutusDecodeError } from './plutus-decode-error.js';

/** The argument of an item: a bigint only where a double would round it, because bigints are slow. */
type Argument = number | bigint;

/** The beginning of an item: its major type and its argument; `argument: null` is a length that is left open. */
interface Head {
  readonly offset: number;
  readonly major: number;
  readonly argument: Argument | null;
}

/** An array whose items are being read. */
export interface OpenArray {
  readonly offset: number;
  /** Items that are still to come; null when a break ends the array. */
  left: number | null;
}

const MAJOR_NAMES = ['an integer', 'an integer', 'bytes', 'text', 'an array', 'a map', 'a tag', 'a simple value'];

/** Reads CBOR from the front, item by item; errors carry the offset. */
export class CborReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array)) refuse('bytes', 'a Uint8Array', bytes);
    this.#bytes = bytes;
  }

  /** Where the next item begins. */
  get offset(): number {
    return this.#at;
  }

  /** The major type and the tag, if it is one, of the next item, which stays unread. */
  peek(): { readonly major: number; readonly tag: Argument | null } {
    const at = this.#at;
    const { major, argument } = this.#head();
    this.#at = at;
    return { major, tag: major === Major.tag ? argument : null };
  }

  integer(): bigint {
    const { offset, major, argument } = this.#head();
    if (major === Major.unsigned) return BigInt(argument!);
    if (major === Major.negative) return -1n - BigInt(argument!);
    if (major !== Major.tag) throw wrongType('an integer', MAJOR_NAMES[major]!, offset);
    if (isConstrTag(argument!)) throw wrongType('an integer', 'a constructor', offset);
    if (!isIntegerTag(argument!)) throw wrongTag('an integer', argument!, offset);
    const hex = toHex(this.bytes());
    const magnitude = hex === '' ? 0n : BigInt(`0x${hex}`);
    return argument === BIG_POSITIVE_TAG ? magnitude : -1n - magnitude;
  }

  bytes(): Uint8Array {
    const { offset, major, argument } = this.#head();
    if (major !== Major.bytes) throw wrongType('bytes', MAJOR_NAMES[major]!, offset);
    if (argument !== null) return this.#take(argument);
    const chunks: Uint8Array[] = [];
    while (!this.#skipBreak()) {
      const chunk = this.#head();
      if (chunk.major !== Major.bytes || chunk.argument === null)
        throw new PlutusDecodeError('wrong-type', 'A chunk of a byte string must be bytes with a length', chunk.offset);
      chunks.push(this.#take(chunk.argument));
    }
    return joined(chunks);
  }

  openArray(): OpenArray {
    const { offset, major, argument } = this.#head();
    if (major !== Major.array) throw wrongType('an array', MAJOR_NAMES[major]!, offset);
    return { offset, left: argument === null ? null : Number(argument) };
  }

  /** Whether the array has another item; when not, it is closed. */
  hasItem(array: OpenArray): boolean {
    if (array.left === null) return !this.#skipBreak();
    if (array.left === 0) return false;
    array.left -= 1;
    return true;
  }

  /** Opens a constructor: its number, and its fields as an array that is to be read. `close` is for after the fields. */
  openConstr(): { readonly constr: number; readonly fields: OpenArray; readonly close: () => void } {
    const { offset, major, argument } = this.#head();
    if (major !== Major.tag) throw wrongType('a constructor', MAJOR_NAMES[major]!, offset);
    if (isIntegerTag(argument!)) throw wrongType('a constructor', 'an integer', offset);
    if (argument === GENERAL_CONSTR_TAG) return this.#openGeneralConstr();
    const constr = constrOfTag(argument!);
    if (constr === null) throw wrongTag('a constructor', argument!, offset);
    return { constr, fields: this.openArray(), close: () => {} };
  }

  /** Refuses anything after the item that was read. */
  end(): void {
    if (this.#at < this.#bytes.length)
      throw new PlutusDecodeError('trailing-bytes', `${this.#bytes.length - this.#at} bytes too many`, this.#at);
  }

  #openGeneralConstr() {
    const pair = this.openArray();
    const demand = (isAsWanted: boolean) => {
      if (!isAsWanted)
        throw new PlutusDecodeError('wrong-arity', 'Tag 102 must hold a number and an array', pair.offset);
    };
    demand(pair.left === null || pair.left === 2);
    demand(this.hasItem(pair));
    const offset = this.#at;
    const number = this.integer();
    if (number < 0n || number > BigInt(Number.MAX_SAFE_INTEGER))
      throw new PlutusDecodeError('out-of-range', `There is no constructor ${number}`, offset);
    demand(this.hasItem(pair));
    return { constr: Number(number), fields: this.openArray(), close: () => demand(!this.hasItem(pair)) };
  }

  #head(): Head {
    const offset = this.#at;
    const initial = this.#byte();
    const major = initial >> 5;
    const info = initial & 31;
    if (info < 24) return { offset, major, argument: info };
    if (info < 27) return { offset, major, argument: this.#unsigned(1 << (info - 24)) };
    if (info === 27) {
      const [high, low] = [this.#unsigned(4), this.#unsigned(4)];
      const isExact = high < 2 ** 21;
      return { offset, major, argument: isExact ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low) };
    }
    const mayBeOpen = major === Major.bytes || major === Major.array || major === Major.text || major === Major.map;
    if (info === 31 && mayBeOpen) return { offset, major, argument: null };
    const what = initial === BREAK ? 'A break without anything to end' : 'No CBOR item begins like this';
    throw new PlutusDecodeError('wrong-type', what, offset);
  }

  /** A number of 1, 2 or 4 bytes. */
  #unsigned(size: number): number {
    let value = 0;
    for (let left = size; left > 0; left--) value = value * 256 + this.#byte();
    return value;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.#truncated();
    this.#at += 1;
    return byte;
  }

  /** A copy, so that the decoded value does not change with the input. */
  #take(length: Argument): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw this.#truncated();
    const end = this.#at + Number(length);
    const taken = new Uint8Array(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return taken;
  }

  #skipBreak(): boolean {
    if (this.#at >= this.#bytes.length) throw this.#truncated();
    if (this.#bytes[this.#at] !== BREAK) return false;
    this.#at += 1;
    return true;
  }

  #truncated(): PlutusDecodeError {
    return new PlutusDecodeError('truncated', 'The input ends inside an item', this.#bytes.length);
  }
}

/** Whether the tag makes a byte string an integer. */
export function isIntegerTag(tag: Argument): boolean {
  return tag === BIG_POSITIVE_TAG || tag === BIG_NEGATIVE_TAG;
}

function isConstrTag(tag: Argument): boolean {
  return tag === GENERAL_CONSTR_TAG || constrOfTag(tag) !== null;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function wrongType(wanted: string, found: string, offset: number): PlutusDecodeError {
  return new PlutusDecodeError('wrong-type', `Expected ${wanted}, found ${found}`, offset);
}

function wrongTag(wanted: string, tag: Argument, offset: number): PlutusDecodeError {
  return new PlutusDecodeError('wrong-tag', `Expected ${wanted}, found tag ${tag}`, offset);
}
