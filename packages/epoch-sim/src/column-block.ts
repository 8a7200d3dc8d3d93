import { Buffer } from 'node:buffer';
import type { Column } from './columns.js';
import { ARRAYS, type PackedColumn, packedColumn, packInto, unpackedColumn } from './packed-column.js';
import { InvalidSnapshot } from './sim-errors.js';

/** Length of the text and length of the whole block. */
const HEAD_BYTES = 16;

/** A JSON value and columns, ready to be written. */
export interface ColumnBlock {
  readonly size: number;
  /** Writes the block at a multiple of eight (little-endian). */
  write(bytes: Uint8Array, offset: number): void;
}

/** What a block says. */
export interface BlockContent {
  data: unknown;
  columns: Map<string, Column>;
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
  return { size, write };
}

/** Reads the block at `offset`. Throws `InvalidSnapshot` when the bytes end before it does or its text is damaged. */
export function readBlock(bytes: Uint8Array, offset: number): BlockContent {
  if (offset + HEAD_BYTES > bytes.length) refuse('length', bytes.length);
  const head = new DataView(bytes.buffer, bytes.byteOffset + offset, HEAD_BYTES);
  const text = head.getFloat64(0, true);
  const end = offset + head.getFloat64(8, true);
  let at = offset + aligned(HEAD_BYTES + text);
  if (!(at <= end && end <= bytes.length)) refuse('length', bytes.length);
  const from = offset + HEAD_BYTES;
  const { data, entries } = parse(bytes.subarray(from, from + text)) as { data: unknown; entries: PackedColumn[] };
  const columns = new Map<string, Column>();
  for (const entry of entries) {
    const size = bytesOf(entry);
    if (at + size > end) refuse('length', bytes.length);
    columns.set(entry.name, unpackedColumn(entry, new ARRAYS[entry.packed](bytes.slice(at, at + size).buffer)));
    at += aligned(size);
  }
  return { data, columns, end };
}

function bytesOf({ packed, written }: PackedColumn): number {
  return written * ARRAYS[packed].BYTES_PER_ELEMENT;
}

function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch (cause) {
    throw new InvalidSnapshot(
      'InvalidSnapshot: the text part is damaged',
      { field: 'text', value: bytes.length },
      { cause },
    );
  }
}

export function refuse(field: string, value: unknown): never {
  throw new InvalidSnapshot(`InvalidSnapshot: ${field} is ${String(value)}; give what snapshot() has given`, {
    field,
    value,
  });
}
