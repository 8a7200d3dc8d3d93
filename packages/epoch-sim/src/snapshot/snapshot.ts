import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { EngineState } from '../engine/engine-state.js';
import type { Hooks } from '../interchange/hooks.js';
import { InvalidSnapshot } from '../interchange/sim-errors.js';
import type { Column } from '../tables/columns.js';
import { checkImage } from './check-image.js';
import { columnBlock, MAX_VALUES_PER_BYTE, readBlock } from './column-block.js';
import { frontCoded, frontDecoded } from './front-coding.js';
import { type InstanceShape, instanceImage, instancesFrom } from './instance-columns.js';
import { ARRAYS, type ColumnKind, kindOf } from './packed-column.js';
import { check, refuse } from './snapshot-fault.js';
import {
  completeColumns,
  type MovingPart,
  movingColumns,
  movingPart,
  type StateImage,
  type StaticPart,
  stateColumns,
  stateFromImage,
  stillPart,
} from './state-image.js';

const FORMAT = 'horae.epoch-sim';
const VERSION = 2;
/** The first bytes of every binary snapshot: "HES2". */
const MAGIC = 0x32534548;
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** A state as a JSON value. */
export interface JsonSnapshot {
  format: typeof FORMAT;
  version: typeof VERSION;
  still: StaticPart;
  moving: MovingPart;
  columns: Record<string, { kind: ColumnKind; values: number[] }>;
  /** CRC-32 of the JSON text of everything else, as eight hexadecimal digits. */
  checksum: string;
}

/** The state as a JSON value that shares nothing with it. */
export function jsonSnapshot(state: EngineState, before: MovingPart['before']): JsonSnapshot {
  const columns: JsonSnapshot['columns'] = {};
  for (const [name, column] of stateColumns(state))
    columns[name] = { kind: kindOf(column), values: Array.from(column) };
  const image = {
    format: FORMAT,
    version: VERSION,
    still: stillPart(state),
    moving: movingPart(state, before),
    columns,
  };
  const text = JSON.stringify(image);
  return { ...JSON.parse(text), checksum: checksumOf(text) };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The names and submitted actions as a block of bytes, kept from one snapshot to the next because they only grow. */
export interface StillBlock {
  names: number;
  instances: number;
  kinds: number;
  bytes: Uint8Array;
  /** Values of its columns. */
  values: number;
  /** CRC-32 of the head of a snapshot and this block. */
  checksum: number;
}

/** The still part as the block has it: each text once. */
type StillText = Omit<StaticPart, 'names' | 'instances'> & { rest: string; shapes: InstanceShape[] };

/** `known` if it is still complete, else the block of the state's names and actions. */
export function stillBlock(state: EngineState, known: StillBlock | undefined): StillBlock {
  const names = state.names.texts.length;
  const instances = state.actions.instances.length;
  const kinds = state.kinds.length;
  if (known?.names === names && known.instances === instances && known.kinds === kinds) return known;
  const { names: texts, instances: given, ...others } = stillPart(state);
  const { shared, added, rest } = frontCoded(texts);
  const { shapes, columns } = instanceImage(given, state.idOf);
  const text: StillText = { ...others, rest, shapes };
  const filled = state.actions.filledColumns();
  const block = columnBlock(text, [['shared', shared], ['added', added], ...columns, ...filled]);
  const bytes = new Uint8Array(block.size);
  block.write(bytes, 0);
  return { names, instances, kinds, bytes, values: block.values, checksum: crc32(bytes, crc32(head())) };
}

function head(): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  return bytes;
}

/**
 * The state as bytes (little-endian): a short head, the still block, the block of what moves, zeros where a few bytes would
 * otherwise stand for very long columns, and the CRC-32 of all of it.
 */
export function binarySnapshot(state: EngineState, before: MovingPart['before'], still: StillBlock): Uint8Array {
  const moving = columnBlock(movingPart(state, before), movingColumns(state));
  const from = HEAD_BYTES + still.bytes.length;
  const end = Math.max(from + moving.size, Math.ceil((still.values + moving.values) / MAX_VALUES_PER_BYTE));
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(end + CHECKSUM_BYTES).buffer);
  bytes.set(head());
  bytes.set(still.bytes, HEAD_BYTES);
  moving.write(bytes, from);
  bytes.fill(0, from + moving.size, end);
  new DataView(bytes.buffer).setUint32(end, crc32(bytes.subarray(from, end), still.checksum), true);
  return bytes;
}

/**
 * The state that a snapshot shows, and what was logged before it. Throws `InvalidSnapshot` for anything that `snapshot` has not returned,
 * in a time and with memory that grow with its size only.
 */
export function readSnapshot(
  snapshot: JsonSnapshot | Uint8Array,
  hooks: Hooks,
): { state: EngineState; before: MovingPart['before'] } {
  try {
    const image = snapshot instanceof Uint8Array ? readBinary(snapshot) : readJson(snapshot);
    checkImage(image);
    return { state: stateFromImage(image, hooks), before: image.moving.before };
  } catch (cause) {
    if (cause instanceof InvalidSnapshot) throw cause;
    const message = `InvalidSnapshot: ${(cause as Error).message}; give what snapshot() has given`;
    throw new InvalidSnapshot(message, { field: 'snapshot', value: null }, { cause });
  }
}

function readJson(snapshot: JsonSnapshot): StateImage {
  check(typeof snapshot === 'object' && snapshot?.format === FORMAT, 'format', snapshot?.format);
  const { checksum, ...image } = snapshot;
  check(image.version === VERSION, 'version', image.version);
  check(checksumOf(JSON.stringify(image)) === checksum, 'checksum', checksum);
  const { still, moving } = structuredClone({ still: image.still, moving: image.moving });
  const columns = new Map<string, Column>();
  for (const [name, { kind, values }] of Object.entries(image.columns)) {
    check(Object.hasOwn(ARRAYS, kind) && Array.isArray(values), `columns.${name}`, kind);
    columns.set(name, ARRAYS[kind].from(values));
  }
  return { still, moving, columns };
}

function readBinary(bytes: Uint8Array): StateImage {
  const end = bytes.length - CHECKSUM_BYTES;
  check(end >= HEAD_BYTES, 'length', bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  check(view.getUint32(0, true) === MAGIC, 'format', view.getUint32(0, true));
  check(view.getUint32(4, true) === VERSION, 'version', view.getUint32(4, true));
  const content = bytes.subarray(0, end);
  check(crc32(content) === view.getUint32(end, true), 'checksum', view.getUint32(end, true));
  const first = readBlock(content, HEAD_BYTES);
  const { data, columns: moving, values } = readBlock(content, first.end);
  check(first.values + values <= content.length * MAX_VALUES_PER_BYTE, 'length', bytes.length);
  const columns = completeColumns(moving, first.columns);
  const { rest, shapes, ...others } = first.data as StillText;
  const shared = first.columns.get('shared') as Uint8Array;
  const names = frontDecoded({ shared, added: first.columns.get('added') as Int32Array, rest });
  const name = columns.get('actions.name') ?? refuse('columns', 'actions.name');
  const instances = instancesFrom(shapes, first.columns, (row) => names[name[row]!]!);
  return { still: { ...others, names, instances }, moving: data as MovingPart, columns };
}
