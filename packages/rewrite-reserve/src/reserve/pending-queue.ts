import { grown } from '../intern/growing-words.js';
import { NAME_WORDS, writeNameWords } from '../keys/name-words.js';
import { CanonicalSort, KEY_WORDS } from './canonical-sort.js';
import type { PendingRewrite } from './pending-rewrite.js';

/** The fields that the canonical order compares. */
type SortKey = Pick<PendingRewrite, 'scopeHash' | 'compactRule'>;

/** One sorter serves every queue: its scratch arrays are empty between calls. */
const sorter = new CanonicalSort();

/**
 * Rewrites that wait for their turn. Their sort keys are copied on the way in, so what a caller does with a hash afterwards
 * does not change the order; the last one with the same (scopeHash, compactRule) wins when the queue is drained.
 */
export class PendingQueue {
  private rewrites: PendingRewrite[] = [];
  private readonly keys = new KeyPool();

  add(rewrite: PendingRewrite): void {
    this.keys.write(this.rewrites.length, rewrite);
    this.rewrites.push(rewrite);
  }

  /** Everything in canonical order without duplicates; the queue is empty afterwards. */
  drain(): PendingRewrite[] {
    const { rewrites } = this;
    this.rewrites = [];
    this.keys.sort(rewrites.length);
    const { order, repeated } = sorter;
    const drained: PendingRewrite[] = new Array(rewrites.length);
    let kept = 0;
    for (let at = 0; at < rewrites.length; at++) {
      // Equal keys stand in the order of their arrival: all but the last of them are dropped.
      if (repeated[at] === 0) drained[kept++] = rewrites[order[at]!]!;
    }
    if (kept < rewrites.length) drained.length = kept;
    return drained;
  }

  clear(): void {
    if (this.rewrites.length > 0) this.rewrites = [];
  }
}

/** The rewrites in the order (scopeHash, compactRule, position), with nothing dropped. */
export function inCanonicalOrder<Rewrite extends SortKey>(rewrites: readonly Rewrite[]): Rewrite[] {
  const keys = new KeyPool();
  for (let at = 0; at < rewrites.length; at++) keys.write(at, rewrites[at]!);
  keys.sort(rewrites.length);
  const { order } = sorter;
  return rewrites.map((_, at) => rewrites[order[at]!]!);
}

/** The sort keys of rewrites, by position. */
class KeyPool {
  private pool = new Uint32Array(0);
  private firsts = new Uint32Array(0);

  write(position: number, { scopeHash, compactRule }: SortKey): void {
    if (position === this.firsts.length) {
      this.pool = grown(this.pool, 16 * KEY_WORDS);
      this.firsts = grown(this.firsts, 16);
    }
    const { pool } = this;
    const at = position * KEY_WORDS;
    writeNameWords(scopeHash, pool, at);
    pool[at + NAME_WORDS] = compactRule;
    this.firsts[position] = pool[at]!;
  }

  /** Leaves the order of the first `count` keys in the sorter. */
  sort(count: number): void {
    sorter.sort(this.pool, this.firsts, count);
  }
}
