import { Buffer } from 'node:buffer';
import type { Column } from '../tables/columns.js';
import { KeptArrays } from '../tables/kept-arrays.js';

/** Array types by the short names that snapshots use. */
export const ARRAYS = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f64: Float64Array } as const;
export type ColumnKind = 'u8' | 'i32' | 'f64';
export type PackedKind = ColumnKind | 'u16';

/** How a column lies in bytes: the first `written` values as `packed` after the shift, the others are `tail`. */
export interface PackedColumn {
  name: string;
  kind: ColumnKind;
  length: number;
  packed: PackedKind;
  /** Zero bits at the low end that all values share and that are not written. */
  shift: number;
  written: number;
  tail: number;
}

const kept = new KeptArrays({ whole: new Int32Array(0) });

/** Values that are compared or scanned at once. */
const BLOCK = 4096;

export function kindOf(column: Column): ColumnKind {
  return column instanceof Uint8Array ? 'u8' : column instanceof Int32Array ? 'i32' : 'f64';
}

/**
 * The smallest plain form of a column: without the equal values at its end, and in the narrowest array that holds the rest.
 * Fresh memory costs more than the look at the values, so a smaller snapshot is a faster one.
 */
export function packedColumn(name: string, column: Column): PackedColumn {
  const { length } = column;
  const tail = length === 0 ? 0 : column[length - 1]!;
  const written = Number.isFinite(tail) ? variedLength(column) : length;
  return { name, kind: kindOf(column), length, ...narrowest(column, written), written, tail };
}

/** How many values stand before the equal ones at the end, rounded up to whole blocks. */
function variedLength(column: Column): number {
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength);
  const size = column.BYTES_PER_ELEMENT;
  let end = column.length;
  while (end > 1) {
    const from = Math.max(1, end - BLOCK);
    // A stretch is constant when it equals itself moved by one value.
    if (bytes.compare(bytes, from * size, end * size, (from - 1) * size, (end - 1) * size) !== 0) break;
    end = from;
  }
  return end;
}

function narrowest(column: Column, written: number): { packed: PackedKind; shift: number } {
  if (column instanceof Uint8Array) return { packed: 'u8', shift: 0 };
  const bits = column instanceof Int32Array ? bitsOfInts(column, written) : bitsOfFloats(column, written);
  if (bits === null) return { packed: 'f64', shift: 0 };
  if (bits >= 0 && bits <= 0xffff) return { packed: bits > 0xff ? 'u16' : 'u8', shift: 0 };
  // Of integers the bits are known in part only. The work of actions is in ten-thousandths, which are even.
  const shift = column instanceof Float64Array && bits > 0 ? 31 - Math.clz32(bits & -bits) : 0;
  return bits > 0 && bits >>> shift <= 0xffff ? { packed: 'u16', shift } : { packed: 'i32', shift: 0 };
}

/** Every bit that is set in some value; wide columns show it early, so only narrow ones are read to the end. */
function bitsOfInts(column: Int32Array, written: number): number {
  let bits = 0;
  for (let from = 0; from < written && bits >= 0 && bits <= 0xffff; from += BLOCK) {
    const to = Math.min(written, from + BLOCK);
    let i = from;
    // Four chains at once: one would wait for itself at every step.
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (; i + 3 < to; i += 4) {
      bits |= column[i]!;
      second |= column[i + 1]!;
      third |= column[i + 2]!;
      fourth |= column[i + 3]!;
    }
    for (; i < to; i++) bits |= column[i]!;
    bits |= second | third | fourth;
  }
  return bits;
}

/** The same, or null when a value is no 32-bit integer. */
function bitsOfFloats(column: Float64Array, written: number): number | null {
  let bits = 0;
  for (let i = 0; i < written; i++) {
    const value = column[i]!;
    const whole = value | 0;
    if (value !== whole) return null;
    bits |= whole;
  }
  return bits;
}

/** Writes the values that belong to `packed` into `target`. `set` is the fastest way from any array but from floats to integers. */
export function packInto(
  target: Column | Uint16Array,
  column: Column,
  { written, shift }: Pick<PackedColumn, 'written' | 'shift'>,
): void {
  if (column instanceof Float64Array && !(target instanceof Float64Array))
    target.set(wholeNumbers(column, written, shift));
  else target.set(column.subarray(0, written));
}

/** One loop for one pair of array types is several times faster than one for all. */
function wholeNumbers(column: Float64Array, written: number, shift: number): Int32Array {
  const whole = kept.take('whole', written);
  for (let i = 0; i < written; i++) whole[i] = column[i]! >> shift;
  return whole;
}

/** The column that `packed` values and the tail stand for. */
export function unpackedColumn(
  { kind, length, shift, written, tail }: PackedColumn,
  packed: ArrayLike<number>,
): Column {
  const column = new ARRAYS[kind](length) as Column;
  column.set(packed);
  if (shift > 0) for (let i = 0; i < written; i++) column[i]! *= 2 ** shift;
  return column.fill(tail, written);
}
