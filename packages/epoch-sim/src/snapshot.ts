import { Buffer } from 'node:buffer';
import { columnBlock, readBlock, refuse } from './column-block.js';
import type { Column } from './columns.js';
import type { EngineState } from './engine-state.js';
import { frontCoded, frontDecoded } from './front-coding.js';
import { type InstanceShape, instanceImage, instancesFrom } from './instance-columns.js';
import type { EpochOptions } from './interchange.js';
import { ARRAYS, type ColumnKind, kindOf } from './packed-column.js';
import {
  completeColumns,
  type MovingPart,
  movingColumns,
  movingPart,
  type StaticPart,
  stateColumns,
  stateFromImage,
  stillPart,
} from './state-image.js';

const FORMAT = 'horae.epoch-sim';
const VERSION = 1;
/** Also tells the form of the bytes: "HES2". */
const MAGIC = 0x32534548;
const HEAD_BYTES = 8;

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

/** The names and submitted actions as a block of bytes, kept from one snapshot to the next because they only grow. */
export interface StillBlock {
  names: number;
  instances: number;
  kinds: number;
  bytes: Uint8Array;
}

/** The still part as the block has it: each text once. */
type StillText = Omit<StaticPart, 'names' | 'instances'> & { rest: string; shapes: InstanceShape[] };

/** `known` if it still says everything, else the block of the state's names and actions. */
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
  return { names, instances, kinds, bytes };
}

/** The state as bytes: a short head, the still block, and the block of what moves (little-endian). */
export function binarySnapshot(state: EngineState, before: MovingPart['before'], still: StillBlock): Uint8Array {
  const moving = columnBlock(movingPart(state, before), movingColumns(state));
  const size = HEAD_BYTES + still.bytes.length + moving.size;
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
  const head = new DataView(bytes.buffer);
  head.setUint32(0, MAGIC, true);
  head.setUint32(4, VERSION, true);
  bytes.set(still.bytes, HEAD_BYTES);
  moving.write(bytes, HEAD_BYTES + still.bytes.length);
  return bytes;
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
  const first = readBlock(bytes, HEAD_BYTES);
  const { data, columns: moving } = readBlock(bytes, first.end);
  const columns = completeColumns(moving, first.columns);
  const { rest, shapes, ...others } = first.data as StillText;
  const shared = first.columns.get('shared') as Uint8Array;
  const names = frontDecoded({ shared, added: first.columns.get('added') as Int32Array, rest });
  const name = columns.get('actions.name')!;
  const instances = instancesFrom(shapes, first.columns, (row) => names[name[row]!]!);
  return { still: { ...others, names, instances }, moving: data as MovingPart, columns };
}
