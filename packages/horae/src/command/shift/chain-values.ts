import {
  decodeElementDatum,
  decodeMintRedeemer,
  decodeNodeDatum,
  decodeSchedulerDatum,
  decodeSpendRedeemer,
  type Edition,
  type ElementDatum,
  encodeElementDatum,
  encodeMintRedeemer,
  encodeNodeDatum,
  encodeSchedulerDatum,
  encodeSpendRedeemer,
  type MintRedeemer,
  type NodeDatum,
  type PlutusData,
  type SchedulerDatum,
  type SpendRedeemer,
} from '@horae/midgard-shift';
import type { ArgsDef } from 'citty';
import { CommandInputError } from '../frame/command-errors.js';

/** A kind of value that can be written and read. */
interface ChainValue {
  encode(value: unknown, edition: Edition | undefined): Uint8Array;
  decode(bytes: Uint8Array, edition: Edition | undefined): unknown;
}

const options = (edition: Edition | undefined) => (edition === undefined ? {} : { edition });

const kinds: Readonly<Record<string, ChainValue>> = {
  datum: {
    encode: (value, edition) => encodeSchedulerDatum(value as SchedulerDatum, options(edition)),
    decode: (bytes, edition) => decodeSchedulerDatum(bytes, options(edition)),
  },
  redeemer: {
    encode: (value, edition) => encodeSpendRedeemer(value as SpendRedeemer, options(edition)),
    decode: (bytes, edition) => decodeSpendRedeemer(bytes, options(edition)),
  },
  mint: {
    encode: (value, edition) => encodeMintRedeemer(value as MintRedeemer, options(edition)),
    decode: (bytes, edition) => decodeMintRedeemer(bytes, options(edition)),
  },
  // The elements of edition 2025 are another datum; without an edition they are those of 2026-05.
  element: {
    encode(value, edition) {
      const element = { ...(value as object), data: fromDataJson((value as { data?: unknown })?.data) };
      return edition === '2025' ? encodeNodeDatum(element as NodeDatum) : encodeElementDatum(element as ElementDatum);
    },
    decode(bytes, edition) {
      const element = edition === '2025' ? decodeNodeDatum(bytes) : decodeElementDatum(bytes);
      return { ...element, data: toDataJson(element.data) };
    },
  },
};

/** The arguments of both commands. */
export const valueArguments = {
  kind: { type: 'positional', description: 'datum, redeemer, mint or element', required: true },
  value: { type: 'positional', description: 'The value', required: true },
  edition: {
    type: 'string',
    alias: 'e',
    description: '2025 (default; elements: 2026-05) or 2026-05',
    valueHint: 'name',
  },
} as const satisfies ArgsDef;

/** How the values look, below the help of both commands. */
export const valueNotes = `
VALUES

  datum     {"operator":"${'a'.repeat(8)}…","shiftStart":1767258000000}
  redeemer  {"type":"advance","outputIndex":0,"activeNodeIndex":1}     and inputIndex in edition 2026-05
  mint      "init" or "deinit"
  element   {"element":"node","data":{"constructor":0,"fields":[{"bytes":"00ff"}]},"link":null}
            data is {"int":…}, {"bytes":"hex"}, {"list":[…]} or {"constructor":…,"fields":[…]}
`;

/** The kind of that name. */
export function chainValue(name: string): ChainValue {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind !== undefined) return kind;
  const hint = `one of ${Object.keys(kinds).join(', ')}`;
  throw new CommandInputError(`"${name}" is no kind of value`, { hint, kind: name });
}

/** The data that JSON in the form of cardano-cli's detailed schema stands for. */
function fromDataJson(json: unknown): PlutusData {
  const { int, bytes, list, fields } = (json ?? {}) as Record<string, unknown>;
  const constr: unknown = (json as { constructor?: unknown } | null)?.constructor;
  if (typeof int === 'string' ? /^-?\d+$/.test(int) : Number.isSafeInteger(int)) return BigInt(int as string | number);
  if (typeof bytes === 'string' && /^([0-9a-fA-F]{2})*$/.test(bytes)) return Uint8Array.from(Buffer.from(bytes, 'hex'));
  if (Array.isArray(list)) return list.map(fromDataJson);
  if (Number.isSafeInteger(constr) && Array.isArray(fields))
    return { constr: constr as number, fields: fields.map(fromDataJson) };
  const hint = 'write {"int":…}, {"bytes":"hex"}, {"list":[…]} or {"constructor":…,"fields":[…]}';
  throw new CommandInputError(`this is no data: ${JSON.stringify(json) ?? 'nothing'}`, { hint });
}

function toDataJson(data: PlutusData): unknown {
  if (typeof data === 'bigint') return { int: Number.isSafeInteger(Number(data)) ? Number(data) : String(data) };
  if (data instanceof Uint8Array) return { bytes: Buffer.from(data).toString('hex') };
  if ('constr' in data) return { constructor: data.constr, fields: data.fields.map(toDataJson) };
  return { list: data.map(toDataJson) };
}
