/** A rewrite as a person draws it: a row of the matrix. */
export interface RewriteDraft {
  readonly name: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface RewriteVerdict {
  readonly name: string;
  /** The first bytes of the hash that decides the order. */
  readonly hash: string;
  readonly accepted: boolean;
  readonly blockers: readonly { readonly by: string; readonly key: string; readonly mode: string }[];
}

/** The outcome of a batch, in the order in which it was drained. */
export interface BatchOutcome {
  readonly order: readonly RewriteVerdict[];
  readonly reserved: number;
  readonly conflicts: number;
  /** Names, wave by wave. */
  readonly waves: readonly (readonly string[])[];
  readonly receipt: { readonly bytes: string; readonly decisions: string };
}

export interface ReceiptCheck {
  readonly valid: boolean;
  readonly problem: string | null;
}

/** A batch of the order book that settles itself in the background. */
export interface BookTick {
  readonly tick: number;
  readonly at: number;
  readonly trades: readonly {
    readonly from: string;
    readonly to: string;
    readonly amount: number;
    readonly accepted: boolean;
  }[];
  readonly waves: number;
}

export interface RewritesSnapshot {
  readonly balances: readonly { readonly account: string; readonly amount: number }[];
  readonly ticks: readonly BookTick[];
  readonly accepted: number;
  readonly refused: number;
}

/** A document that several people have edited at once, on a number of worker threads. */
export interface DocumentRun {
  readonly workers: number;
  readonly edits: number;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
  /** The digest of the whole document, 64 hex digits: the same for every number of threads. */
  readonly digest: string;
  readonly waits: readonly { readonly edit: string; readonly by: string; readonly mode: string }[];
}
