import type { Clock } from '@horae/clock-store';

/** An unspent output as a provider returns it. */
export interface ChainUtxo {
  readonly txHash: string;
  readonly index: number;
  readonly address: string;
  readonly lovelace: bigint;
  /** Quantities by policy id and asset name, both in hex, one after the other. */
  readonly assets: Readonly<Record<string, bigint>>;
  /** The datum's CBOR, inline or found by its hash; null when there is none or the provider does not have it. */
  readonly datum: Uint8Array | null;
  /** The reference script: hex of the CBOR array of its language and its bytes. */
  readonly scriptRef?: string;
}

/** The calls that this package needs of an indexer and a node. */
export interface ChainProvider {
  /** The latest block that the provider has. */
  tip(): Promise<{ readonly slot: number; readonly hash: string }>;
  /** All unspent outputs at `address`, over all pages. */
  utxosAt(address: string): Promise<ChainUtxo[]>;
  /** Submits a signed transaction and resolves with its hash. Rejects with `provider-refused` when the node does not accept it. */
  submit(cbor: Uint8Array): Promise<string>;
}

/** Retries and timeouts of a provider's calls to its service. */
export interface Calls {
  /** Further tries after a failed one. Default 3. */
  readonly retries?: number;
  /** The pause before the first further try; it doubles with each. Default 250. */
  readonly backoffMs?: number;
  /** The longest wait for one answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Measures pauses and timeouts. Default: the system's. */
  readonly clock?: Clock;
}
