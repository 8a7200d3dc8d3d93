import type * as Csl from '@emurgo/cardano-serialization-lib-nodejs';
import { HoraeError } from '@horae/clock-store';
import { fromHex } from '../../state/hex.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { ChainUtxo } from '../provider/chain-provider.js';

/** The serialization library; it is an optional peer. */
export type LedgerLibrary = typeof Csl;

/** The library that writes transactions is not installed. */
export class LedgerLibraryMissingError extends HoraeError<{ library: string }> {
  readonly code = 'ledger-library-missing';
}

const LIBRARY = '@emurgo/cardano-serialization-lib-nodejs';

/** Loads the library, which only building and signing need. */
export async function loadLedgerLibrary(): Promise<LedgerLibrary> {
  try {
    return await import('@emurgo/cardano-serialization-lib-nodejs');
  } catch (error) {
    throw new LedgerLibraryMissingError(
      `Building transactions needs ${LIBRARY}: npm install ${LIBRARY}`,
      { library: LIBRARY },
      {
        cause: error,
      },
    );
  }
}

/** The address in bech32; refuses anything else. */
export function addressOf(csl: LedgerLibrary, field: string, address: string): Csl.Address {
  try {
    return csl.Address.from_bech32(address);
  } catch {
    return refuse(field, 'a bech32 address', address);
  }
}

/** The key hash that locks an address; null when a script does. */
export function paymentKeyOf(csl: LedgerLibrary, field: string, address: string): string | null {
  const credential = addressOf(csl, field, address).payment_cred();
  return credential?.to_keyhash()?.to_hex() ?? null;
}

export const amount = (csl: LedgerLibrary, value: bigint | number): Csl.BigNum => csl.BigNum.from_str(String(value));

/** Lovelace and tokens as the ledger has them. */
export function valueWith(csl: LedgerLibrary, lovelace: bigint, assets: ChainUtxo['assets']): Csl.Value {
  const units = Object.entries(assets).filter(([, quantity]) => quantity > 0n);
  if (units.length === 0) return csl.Value.new(amount(csl, lovelace));
  const tokens = csl.MultiAsset.new();
  for (const [unit, quantity] of units) {
    const [policy, name] = [unit.slice(0, 56), unit.slice(56)];
    tokens.set_asset(csl.ScriptHash.from_hex(policy), csl.AssetName.new(fromHex(name)), amount(csl, quantity));
  }
  return csl.Value.new_with_assets(amount(csl, lovelace), tokens);
}

/** Inputs in the order given. */
export function inputsOf(csl: LedgerLibrary, utxos: readonly ChainUtxo[]): Csl.TransactionInputs {
  const inputs = csl.TransactionInputs.new();
  for (const { txHash, index } of utxos)
    inputs.add(csl.TransactionInput.new(csl.TransactionHash.from_hex(txHash), index));
  return inputs;
}

/** The least lovelace that an output must hold. */
export function leastLovelace(csl: LedgerLibrary, output: Csl.TransactionOutput, coinsPerUtxoByte: number): bigint {
  const cost = csl.DataCost.new_coins_per_byte(amount(csl, coinsPerUtxoByte));
  return BigInt(csl.min_ada_for_output(output, cost).to_str());
}
