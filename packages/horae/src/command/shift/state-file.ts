import {
  type MidgardState,
  type ProtocolParameters,
  parseProtocolParameters,
  stateWarnings,
} from '@horae/midgard-shift';
import type { ArgsDef } from 'citty';
import { z } from 'zod';
import { checkedText } from '../documents/checked-document.js';
import { readInput } from '../documents/read-input.js';

/** An operator. */
export const keyHash = z.string().regex(/^[0-9a-f]{56}$/, '56 lower case hex digits');
const instant = z.int();
const coins = z
  .union([z.int().min(0), z.string().regex(/^\d+$/, 'a decimal number')])
  .transform((amount) => BigInt(amount));
const datum = z.strictObject({ operator: keyHash, shiftStart: instant });

/** The protocol's constants as a file has them. */
export const parametersSchema = z.strictObject({
  shiftDurationMs: z.int().min(1),
  registrationDurationMs: z.int().min(0),
  requiredBond: coins,
  edition: z.enum(['2025', '2026-05']).optional(),
});

/** A state as a file has it. */
export const midgardStateSchema = z.strictObject({
  scheduler: datum.nullable(),
  hubOracle: z.boolean(),
  active: z.array(keyHash),
  registered: z.array(z.strictObject({ operator: keyHash, activationTime: instant })).default([]),
  retired: z.array(keyHash).default([]),
});

const stateSchema = z.strictObject({ parameters: parametersSchema, state: midgardStateSchema });

/** A transaction as a file has it. */
export const transactionSchema = z.strictObject({
  redeemer: z.enum(['init', 'deinit', 'advance', 'rewind']),
  mint: z
    .strictObject({ hubOracle: z.int().default(0), scheduler: z.int().default(0) })
    .default({ hubOracle: 0, scheduler: 0 }),
  signatories: z.array(keyHash).default([]),
  validity: z.strictObject({ from: instant.nullable(), to: instant.nullable() }),
  schedulerOutput: datum.nullable(),
  referenceInputs: z
    .array(z.strictObject({ list: z.enum(['active', 'registered']), key: keyHash.nullable() }))
    .default([]),
});

/** The arguments of every command about shifts. */
export const stateArgument = {
  state: { type: 'positional', description: 'A JSON or YAML file with state and parameters, or -', required: true },
} as const satisfies ArgsDef;

/** Shown by every help of the group. */
export const stateNotes = `
STATE FILE (instants are epoch milliseconds, operators key hashes of 56 hex digits)

  parameters: { shiftDurationMs: 3600000, registrationDurationMs: 86400000, requiredBond: "1000000" }
                            # and edition: 2025 (default) or 2026-05, in quotes
  state:
    scheduler: { operator: ${'c'.repeat(56)}, shiftStart: 1767254400000 }
    hubOracle: true
    active:                 # ascending
      - ${'a'.repeat(56)}
      - ${'c'.repeat(56)}
    registered: []          # newest first: { operator, activationTime }
    retired: []
`;

/** The state and the parameters of a file. Oddities of the state are written to standard error. */
export async function readState(path: string): Promise<{ state: MidgardState; parameters: ProtocolParameters }> {
  const { state, parameters } = checkedText(await readInput(path), stateSchema, path);
  warnOf(state);
  return { state, parameters: parseProtocolParameters(parameters) };
}

/** One line per fact in the state that the chain never produces. */
export function warnOf(state: MidgardState): void {
  for (const { message } of stateWarnings(state)) process.stderr.write(`warning: ${message}\n`);
}
