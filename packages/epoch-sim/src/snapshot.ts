import { Buffer } from 'node:buffer';
import type { Column } from './columns.js';
import type { EngineState } from './engine-state.js';
import type { EpochOptions } from './interchange.js';
import { InvalidSnapshot } from './sim-errors.js';
import {
  type MovingPart,
  movingPart,
  type StaticPart,
  stateColumns,
  stateFromImage,
  stillPart,
} from './state-image.js';

const FORMAT = 'horae.epoch-sim';
const VERSION = 1;
const MAGIC = 0x31534548;
const HEAD_BYTES = 16;
const ARRAYS = { u8: Uint8Array, i32: Int32Array, f64: Float64Array } as const;
type ColumnKind = keyof typeof ARRAYS;
type ColumnEntry = [name: string, kind: ColumnKind, length: number];

/** A state as a JSON value. */
export interface JsonSnapshot {
  format: typeof FORMAT;
  version: typeof VERSION;
  still: StaticPart;
  moving: MovingPart;
  columns: Record<string, { kind: ColumnKind; values: number[] }>;
}

/** The state as a JSON value that shares nothing with it. */
export function jsonSnapshot(state: EngineState, before: MovingPart['before']): JsonSnapshot {
  const columns: JsonSnapshot['columns'] = {};
  for (const [name, column] of stateColumns(state))
    columns[name] = { kind: kindOf(column), values: Array.from(column) };
  const image = { format: FORMAT, version: VERSION, still: stillPart(state), moving: movingPart(state, before) };
  return { ...JSON.parse(JSON.stringify(image)), columns };
}

function kindOf(column: Column): ColumnKind {
  return column instanceof Uint8Array ? 'u8' : column instanceof Int32Array ? 'i32' : 'f64';
}

/** The text of names and submitted actions, kept from one snapshot to the next because it only grows. */
export interface StillText {
  names: number;
  instances: number;
  kinds: number;
  bytes: Uint8Array;
}

/** `known` if it still says everything, else the text of the state's names and actions. */
export function stillText(state: EngineState, known: StillText | undefined): StillText {
  const names = state.names.texts.length;
  const instances = state.actions.instances.length;
  const kinds = state.kinds.length;
  if (known?.names === names && known.instances === instances && known.kinds === kinds) return known;
  return { names, instances, kinds, bytes: Buffer.from(JSON.stringify(stillPart(state))) };
}

/** The state as bytes: a short head, two JSON texts, and the columns as they are in memory (little-endian). */
export function binarySnapshot(state: EngineState, before: MovingPart['before'], still: StillText): Uint8Array {
  const columns = stateColumns(state);
  const entries = columns.map(([name, column]): ColumnEntry => [name, kindOf(column), column.length]);
  const moving = Buffer.from(JSON.stringify({ moving: movingPart(state, before), entries }));
  const first = aligned(HEAD_BYTES + moving.length + still.bytes.length);
  const size = columns.reduce((sum, [, column]) => sum + aligned(column.byteLength), first);
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
  const head = new DataView(bytes.buffer);
  head.setUint32(0, MAGIC, true);
  head.setUint32(4, VERSION, true);
  head.setUint32(8, moving.length, true);
  head.setUint32(12, still.bytes.length, true);
  bytes.set(moving, HEAD_BYTES);
  bytes.set(still.bytes, HEAD_BYTES + moving.length);
  bytes.fill(0, HEAD_BYTES + moving.length + still.bytes.length, first);
  let offset = first;
  for (const [, column] of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    const end = offset + column.byteLength;
    offset += aligned(column.byteLength);
    bytes.fill(0, end, offset);
  }
  return bytes;
}

function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}

/** The state that a snapshot shows, and what was logged before it. Throws `InvalidSnapshot`. */
export function readSnapshot(
  snapshot: JsonSnapshot | Uint8Array,
  onEnd: EpochOptions['onEnd'],
): { state: EngineState; before: MovingPart['before'] } {
  const { still, moving, columns } = snapshot instanceof Uint8Array ? readBinary(snapshot) : readJson(snapshot);
  return { state: stateFromImage(still, moving, columns, onEnd), before: moving.before };
}

interface Image {
  still: StaticPart;
  moving: MovingPart;
  columns: Map<string, Column>;
}

function readJson(snapshot: JsonSnapshot): Image {
  if (snapshot?.format !== FORMAT || snapshot.version !== VERSION) refuse('format', snapshot?.format);
  const { still, moving } = structuredClone({ still: snapshot.still, moving: snapshot.moving });
  const columns = new Map<string, Column>();
  for (const [name, { kind, values }] of Object.entries(snapshot.columns)) columns.set(name, ARRAYS[kind].from(values));
  return { still, moving, columns };
}

function readBinary(bytes: Uint8Array): Image {
  if (bytes.length < HEAD_BYTES) refuse('length', bytes.length);
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head.getUint32(0, true) !== MAGIC || head.getUint32(4, true) !== VERSION)
    refuse('format', head.getUint32(0, true));
  const movingEnd = HEAD_BYTES + head.getUint32(8, true);
  const stillEnd = movingEnd + head.getUint32(12, true);
  if (stillEnd > bytes.length) refuse('length', bytes.length);
  const { moving, entries } = parse(bytes.subarray(HEAD_BYTES, movingEnd)) as {
    moving: MovingPart;
    entries: ColumnEntry[];
  };
  const still = parse(bytes.subarray(movingEnd, stillEnd)) as StaticPart;
  const columns = new Map<string, Column>();
  let offset = aligned(stillEnd);
  for (const [name, kind, length] of entries) {
    const size = length * ARRAYS[kind].BYTES_PER_ELEMENT;
    if (offset + size > bytes.length) refuse('length', bytes.length);
    columns.set(name, new ARRAYS[kind](bytes.slice(offset, offset + size).buffer));
    offset += aligned(size);
  }
  return { still, moving, columns };
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

function refuse(field: string, value: unknown): never {
  throw new InvalidSnapshot(`InvalidSnapshot: ${field} is ${String(value)}; give what snapshot() has given`, {
    field,
    value,
  });
}
