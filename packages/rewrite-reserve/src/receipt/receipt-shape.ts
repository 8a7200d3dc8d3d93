/** The decision about one rewrite, and the earlier accepted entries that blocked it (ascending indices). */
export interface ReceiptEntry {
  readonly scopeHash: Uint8Array;
  readonly compactRule: number;
  readonly ruleId?: Uint8Array;
  readonly accepted: boolean;
  readonly blockedBy: readonly number[];
}

/** SHA-256 digests, 32 bytes each: of the candidates, of the decisions about them, of the accepted rewrites. */
export interface ReceiptDigests {
  readonly plan: Uint8Array;
  readonly decisions: Uint8Array;
  readonly accepted: Uint8Array;
}

/** A record of a batch that can be checked against its candidates. The same bytes in every process. */
export interface Receipt {
  readonly version: number;
  readonly entries: readonly ReceiptEntry[];
  readonly digests: ReceiptDigests;
}
