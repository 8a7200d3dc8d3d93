import { Buffer } from 'node:buffer';
import type { Column } from '../tables/columns.js';
import { ARRAYS, type PackedColumn, packedColumn, packInto, unpackedColumn } from './packed-column.js';
import { check } from './snapshot-fault.js';

/**
 * A column of equal values takes a few bytes, however long it is. A snapshot has at least one byte for this many values, so that a small
 * one cannot claim a lot of memory.
 */
export const MAX_VALUES_PER_BYTE = 8;

/** Length of the text and length of the whole block. */
const HEAD_BYTES = 16;

/** A JSON value and columns, ready to be written. */
export interface ColumnBlock {
  readonly size: number;
  /** Values of all columns. */
  readonly values: number;
  /** Writes the block at a multiple of eight (little-endian). */
  write(bytes: Uint8Array, offset: number): void;
}

/** The content of a block. */
export interface BlockContent {
  data: unknown;
  columns: Map<string, Column>;
  values: number;
  /** Where the next block begins. */
  end: number;
}

export function columnBlock(data: unknown, columns: readonly [string, Column][]): ColumnBlock {
  const entries = columns.map(([name, column]) => packedColumn(name, column));
  const text = Buffer.from(JSON.stringify({ data, entries }));
  const first = aligned(HEAD_BYTES + text.length);
  const size = entries.reduce((sum, entry) => sum + aligned(bytesOf(entry)), first);
  const write = (bytes: Uint8Array, offset: number): void => {
    const head = new DataView(bytes.buffer, bytes.byteOffset + offset);
    head.setFloat64(0, text.length, true);
    head.setFloat64(8, size, true);
    bytes.set(text, offset + HEAD_BYTES);
    bytes.fill(0, offset + HEAD_BYTES + text.length, offset + first);
    let at = offset + first;
    entries.forEach((entry, i) => {
      const target = new ARRAYS[entry.packed](bytes.buffer as ArrayBuffer, bytes.byteOffset + at, entry.written);
      packInto(target, columns[i]![1], entry);
      const end = at + bytesOf(entry);
      at += aligned(bytesOf(entry));
      bytes.fill(0, end, at);
    });
  };
  return { size, values: valuesOf(entries), write };
}

/** Reads the block at `offset`. Throws `InvalidSnapshot` when it does not fit into the bytes, and others when its text is damaged. */
export function readBlock(bytes: Uint8Array, offset: number): BlockContent {
  check(offset + HEAD_BYTES <= bytes.length, 'length', bytes.length);
  const head = new DataView(bytes.buffer, bytes.byteOffset + offset, HEAD_BYTES);
  const text = head.getFloat64(0, true);
  const size = head.getFloat64(8, true);
  let at = offset + aligned(HEAD_BYTES + text);
  const end = offset + size;
  check(isCount(text) && isCount(size) && at <= end && end <= bytes.length, 'length', bytes.length);
  const from = offset + HEAD_BYTES;
  const { data, entries } = parse(bytes.subarray(from, from + text)) as { data: unknown; entries: PackedColumn[] };
  for (const entry of entries) checkEntry(entry);
  const values = valuesOf(entries);
  check(values <= bytes.length * MAX_VALUES_PER_BYTE, 'length', bytes.length);
  const columns = new Map<string, Column>();
  for (const entry of entries) {
    const taken = bytesOf(entry);
    check(at + taken <= end && !columns.has(entry.name), 'length', bytes.length);
    columns.set(entry.name, unpackedColumn(entry, new ARRAYS[entry.packed](bytes.slice(at, at + taken).buffer)));
    at += aligned(taken);
  }
  return { data, columns, values, end };
}

function checkEntry({ name, kind, packed, length, shift, written, tail }: PackedColumn): void {
  const types = kind === 'u8' || kind === 'i32' || kind === 'f64';
  check(typeof name === 'string' && types && Object.hasOwn(ARRAYS, packed), 'columns', name);
  check(isCount(length) && isCount(written) && written <= length, name, length);
  check(isCount(shift) && shift < 32 && (typeof tail === 'number' || written === length), name, shift);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function valuesOf(entries: readonly PackedColumn[]): number {
  return entries.reduce((sum, { length }) => sum + length, 0);
}

function bytesOf({ packed, written }: PackedColumn): number {
  return written * ARRAYS[packed].BYTES_PER_ELEMENT;
}

function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
