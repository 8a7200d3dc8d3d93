import { compareBytes } from '../keys/key-order.js';
import type { PendingRewrite } from './pending-rewrite.js';

/**
 * Orders rewrites of one scopeHash by their rule ids, as upstream's legacy scheduler does; the list is in canonical order. Those without
 * a rule id keep their places, and those with one change places among themselves: comparing each pair by what both have
 * would not always be an order.
 */
export function sortByRuleId(rewrites: PendingRewrite[]): void {
  for (let start = 0; start < rewrites.length; ) {
    let end = start + 1;
    while (end < rewrites.length && compareBytes(rewrites[start]!.scopeHash, rewrites[end]!.scopeHash) === 0) end++;
    if (end - start > 1) sortRun(rewrites, start, end);
    start = end;
  }
}

function sortRun(rewrites: PendingRewrite[], start: number, end: number): void {
  const places: number[] = [];
  for (let at = start; at < end; at++) if (rewrites[at]!.ruleId !== undefined) places.push(at);
  const named = places.map((place) => rewrites[place]!).sort((a, b) => compareBytes(a.ruleId!, b.ruleId!));
  for (const [at, place] of places.entries()) rewrites[place] = named[at]!;
}
