import { fromHex } from '../../state/hex.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { PubKeyHash } from '../../state/pub-key-hash.js';
import { type LedgerLibrary, loadLedgerLibrary } from './ledger-types.js';

/**
 * Adds a signature by each key: ed25519 private keys in hex, 32 bytes or 64 (extended). For keys that lie on this machine; anything else
 * signs the hash of the body on its own. Errors never contain a key.
 */
export async function signTransaction(cbor: Uint8Array, privateKeys: readonly string[]): Promise<Uint8Array> {
  const csl = await loadLedgerLibrary();
  const transaction = transactionOf(csl, cbor);
  for (const [at, key] of privateKeys.entries()) transaction.sign_and_add_vkey_signature(privateKeyOf(csl, at, key));
  return transaction.to_bytes();
}

/** The key hashes of the signatures that `signTransaction` adds with these keys. */
export async function signersOf(privateKeys: readonly string[]): Promise<PubKeyHash[]> {
  const csl = await loadLedgerLibrary();
  return privateKeys.map((key, at) => privateKeyOf(csl, at, key).to_public().hash().to_hex());
}

/** The library throws texts, not errors. */
function transactionOf(csl: LedgerLibrary, cbor: Uint8Array) {
  try {
    return csl.FixedTransaction.from_bytes(cbor);
  } catch (reason) {
    return refuse('cbor', `the bytes of a transaction (${String(reason)})`, cbor);
  }
}

function privateKeyOf(csl: LedgerLibrary, at: number, key: string) {
  const field = `privateKeys[${at}]`;
  if (typeof key !== 'string' || !/^([0-9a-f]{64}|[0-9a-f]{128})$/.test(key))
    return refuse(field, '64 or 128 lower case hex digits', '…');
  try {
    return key.length === 64
      ? csl.PrivateKey.from_normal_bytes(fromHex(key))
      : csl.PrivateKey.from_extended_bytes(fromHex(key));
  } catch {
    return refuse(field, 'an ed25519 private key', '…');
  }
}
