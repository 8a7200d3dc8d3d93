import { CanonicalSort, KEY_WORDS } from './canonical-sort.js';
import { grown } from './growing-words.js';
import { NAME_WORDS, writeNameWords } from './name-words.js';
import type { PendingRewrite } from './pending-rewrite.js';

/** One sorter serves every queue: its scratch arrays are empty between calls. */
const sorter = new CanonicalSort();

/**
 * Rewrites that wait for their turn. Their sort keys are copied on the way in, so what a caller does with a hash afterwards
 * does not change the order; the last one with the same (scopeHash, compactRule) wins when the queue is drained.
 */
export class PendingQueue {
  private rewrites: PendingRewrite[] = [];
  private pool = new Uint32Array(0);

  add(rewrite: PendingRewrite): void {
    const at = this.rewrites.length * KEY_WORDS;
    if (at === this.pool.length) this.pool = grown(this.pool, 16 * KEY_WORDS);
    writeKey(this.pool, at, rewrite);
    this.rewrites.push(rewrite);
  }

  /** Everything in canonical order without duplicates; the queue is empty afterwards. */
  drain(): PendingRewrite[] {
    const { rewrites, pool } = this;
    this.rewrites = [];
    sorter.sort(pool, rewrites.length);
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
export function inCanonicalOrder(rewrites: readonly PendingRewrite[]): PendingRewrite[] {
  const pool = new Uint32Array(rewrites.length * KEY_WORDS);
  for (let at = 0; at < rewrites.length; at++) writeKey(pool, at * KEY_WORDS, rewrites[at]!);
  sorter.sort(pool, rewrites.length);
  const { order } = sorter;
  return rewrites.map((_, at) => rewrites[order[at]!]!);
}

function writeKey(pool: Uint32Array, at: number, { scopeHash, compactRule }: PendingRewrite): void {
  writeNameWords(scopeHash, pool, at);
  pool[at + NAME_WORDS] = compactRule;
}
