import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../documents/config-file.js';
import { CommandInputError } from '../frame/command-errors.js';
import { keyHash, midgardStateSchema, parametersSchema, warnOf } from './state-file.js';

const contract = z.strictObject({ policyId: keyHash, address: z.string().min(1) });
const network = z.union([
  z.enum(['mainnet', 'preprod', 'preview']),
  z.strictObject({ zeroTimeMs: z.int(), zeroSlot: z.int().min(0), slotLengthMs: z.int().min(1) }),
]);
const url = z.string().min(1);
const provider = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('blockfrost'), url, projectIdEnv: z.string().default('BLOCKFROST_PROJECT_ID') }),
  z.strictObject({ kind: z.literal('koios'), url, tokenEnv: z.string().optional() }),
  z.strictObject({ kind: z.literal('ogmios-kupo'), ogmiosUrl: url, kupoUrl: url }),
]);
const amount = z.number().min(0);
const protocol = z.strictObject({
  minFeeA: amount,
  minFeeB: amount,
  coinsPerUtxoByte: amount,
  priceMemory: amount,
  priceSteps: amount,
  maxTxSize: amount,
  maxTxMemory: amount,
  maxTxSteps: amount,
  collateralPercentage: amount,
  maxCollateralInputs: amount,
  refScriptCostPerByte: amount,
  costModels: z.strictObject({ PlutusV3: z.array(z.int()).min(1) }),
});

const chainSchema = z.strictObject({
  network,
  provider,
  contracts: z.strictObject({
    hubOracle: contract,
    scheduler: contract,
    active: contract,
    registered: contract,
    retired: contract,
  }),
  walletAddress: z.string().min(1),
  scriptAddress: z.string().min(1),
  signingKeyFiles: z.array(z.string().min(1)).min(1),
  protocol,
  executionUnits: z.strictObject({ memory: z.int().min(0), steps: z.int().min(0) }),
});

const keepSchema = z
  .strictObject({
    operator: keyHash,
    parameters: parametersSchema,
    keeper: z
      .strictObject({
        pollMs: z.int().min(1).optional(),
        maxWindowMs: z.int().min(1).optional(),
        clockSkewMs: z.int().min(0).optional(),
        activateRegistrants: z.boolean().optional(),
      })
      .default({}),
    chain: chainSchema.optional(),
    ledger: z.strictObject({ database: z.string().optional(), state: midgardStateSchema }).optional(),
  })
  .refine(({ chain, ledger }) => (chain === undefined) !== (ledger === undefined), 'either chain or ledger');

/** A checked configuration of `horae shift keep`. */
export type KeepConfig = z.output<typeof keepSchema>;
/** Its settings for a real chain. */
export type KeepChain = z.output<typeof chainSchema>;

export const keepNotes = `
CONFIGURATION (YAML, JSON, or a module)

  operator: ${'a'.repeat(56)}
  parameters: { shiftDurationMs: 3600000, registrationDurationMs: 86400000, requiredBond: "1000000", edition: "2026-05" }
  keeper: { pollMs: 20000, maxWindowMs: 300000, clockSkewMs: 5000 }
  ledger:                   # a chain of your own, to rehearse on; or chain:
    database: sqlite:./ledger.db
    state: { … }            # as in a state file

  chain:                    # edition 2026-05
    network: preprod
    provider: { kind: blockfrost, url: https://cardano-preprod.blockfrost.io/api/v0, projectIdEnv: BLOCKFROST_PROJECT_ID }
              # or { kind: koios, url, tokenEnv }, or { kind: ogmios-kupo, ogmiosUrl, kupoUrl }
    contracts: { hubOracle: { policyId, address }, scheduler: …, active: …, registered: …, retired: … }
    walletAddress: addr_test1…        # pays fees and collateral
    scriptAddress: addr_test1…        # where the reference scripts lie
    signingKeyFiles: [payment.skey]   # as cardano-cli writes them, beside this file
    protocol: { minFeeA: 44, minFeeB: 155381, … }
    executionUnits: { memory: 1000000, steps: 500000000 }
`;

/** Reads and checks the file. */
export async function readKeepConfig(path: string): Promise<KeepConfig> {
  const config = await readConfig(path, keepSchema);
  if (config.ledger !== undefined) warnOf(config.ledger.state);
  return config;
}

/** The private key in a file of cardano-cli: 32 bytes, or the first 64 of an extended one. */
export async function readSigningKey(configPath: string, path: string): Promise<string> {
  const file = resolve(dirname(configPath), path);
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, normal, extended] =
    /"cborHex"\s*:\s*"(?:5820([0-9a-f]{64})|58[48]0([0-9a-f]{128})[0-9a-f]*)"/.exec(text) ?? [];
  const key = normal ?? extended;
  if (key !== undefined) return key;
  const hint = 'name a payment signing key that cardano-cli wrote';
  throw new CommandInputError(`${path} holds no signing key`, { hint, path });
}
