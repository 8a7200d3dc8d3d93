import { CborReader } from '../../cbor/cbor-reader.js';
import { fromHex } from '../../state/hex.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { type ChainProtocol, ceilShare, type ExecutionUnits, fractionOf } from './chain-protocol.js';

/** The bytes of a key and a signature, and those around all of them. */
const WITNESS_BYTES = 101;
const WITNESSES_HEAD_BYTES = 8;

/** Reference scripts cost more by a fifth with every such piece. */
const SCRIPT_TIER_BYTES = 25_600;

/** How many bytes `signers` signatures will add to the unsigned transaction, at most. */
export function signatureBytes(signers: number): number {
  return signers === 0 ? 0 : WITNESSES_HEAD_BYTES + signers * WITNESS_BYTES;
}

/** The least fee of a transaction of `size` bytes, signatures included. */
export function feeOf(
  size: number,
  { memory, steps }: ExecutionUnits,
  withScripts: readonly ChainUtxo[],
  protocol: ChainProtocol,
): bigint {
  const [memoryPrice, stepPrice] = [fractionOf(protocol.priceMemory), fractionOf(protocol.priceSteps)];
  // Rounded once for both, as the ledger does.
  const denominator = memoryPrice.denominator * stepPrice.denominator;
  const numerator =
    BigInt(memory) * memoryPrice.numerator * stepPrice.denominator +
    BigInt(steps) * stepPrice.numerator * memoryPrice.denominator;
  const execution = ceilShare(numerator, 1n, denominator);
  const scripts = scriptFee(
    withScripts.reduce((bytes, utxo) => bytes + scriptBytes(utxo), 0),
    protocol,
  );
  return BigInt(protocol.minFeeA) * BigInt(size) + BigInt(protocol.minFeeB) + execution + scripts;
}

/** The fee for reference scripts of `bytes` in all: tiers of 25,600 bytes, each a fifth more expensive, rounded down at the end. */
function scriptFee(bytes: number, { refScriptCostPerByte }: ChainProtocol): bigint {
  const price = fractionOf(refScriptCostPerByte);
  let { numerator, denominator } = { numerator: 0n, denominator: price.denominator };
  let [tierNumerator, left] = [price.numerator, bytes];
  while (left > 0) {
    numerator += BigInt(Math.min(left, SCRIPT_TIER_BYTES)) * tierNumerator;
    left -= SCRIPT_TIER_BYTES;
    // The next tier is 6/5 of this one: everything so far is put over the new denominator.
    [numerator, denominator, tierNumerator] = [numerator * 5n, denominator * 5n, tierNumerator * 6n];
  }
  return numerator / denominator;
}

/** The size of the script in an output, without its language. */
function scriptBytes({ scriptRef }: ChainUtxo): number {
  if (scriptRef === undefined) return 0;
  try {
    const bytes = fromHex(scriptRef);
    const reader = new CborReader(bytes);
    const pair = reader.openArray();
    reader.hasItem(pair);
    if (reader.integer() === 0n) return bytes.length - reader.offset;
    return reader.bytes().length;
  } catch {
    return refuse('scriptRef', 'the hex of [language, bytes]', scriptRef);
  }
}
