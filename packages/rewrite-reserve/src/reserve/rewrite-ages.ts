import type { PendingRewrite } from './pending-rewrite.js';

/** A rewrite that goes to the next transaction, and how many in a row have refused it. */
export interface CarriedRewrite {
  readonly rewrite: PendingRewrite;
  readonly age: number;
}

/** How old rewrites are. Two with the same (scopeHash, compactRule) are one rewrite, also when it was matched anew. */
export class RewriteAges {
  private readonly ages = new Map<string, number>();

  set(rewrite: PendingRewrite, age: number): void {
    this.ages.set(identityOf(rewrite), age);
  }

  /** 0 for a rewrite that nothing has refused. */
  of(rewrite: PendingRewrite): number {
    return this.ages.get(identityOf(rewrite)) ?? 0;
  }

  /** Those of age `after` and more, the oldest first, then the others; otherwise in their original order. */
  oldFirst(rewrites: readonly PendingRewrite[], after: number): PendingRewrite[] {
    const aged = rewrites.map((rewrite) => ({ rewrite, age: this.of(rewrite) }));
    const old = aged.filter(({ age }) => age >= after).sort((a, b) => b.age - a.age);
    return [...old, ...aged.filter(({ age }) => age < after)].map(({ rewrite }) => rewrite);
  }
}

function identityOf({ scopeHash, compactRule }: PendingRewrite): string {
  return `${compactRule} ${String.fromCharCode(...scopeHash)}`;
}
