declare const opaque: unique symbol;

/** A point to roll back to, made by `savepoint`. Opaque; it lives until an earlier mark is rolled back to or the transaction ends. */
export interface Mark {
  readonly [opaque]: 'mark';
}

/** The content of a mark: its transaction, the number of older marks, and the two counts to go back to. */
export class SavepointMark {
  constructor(
    readonly transaction: object,
    readonly depth: number,
    readonly held: number,
    readonly conflicts: number,
  ) {}
}
