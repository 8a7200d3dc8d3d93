import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import { NumberHeap } from './number-heap.js';
import type { RuleOrder } from './rule-order.js';

/**
 * The order in which one thread would run rewrites that are in canonical order: always the first one whose earlier rules are all done. A
 * rule without rewrites is done as soon as the rules before it are, so that constraints hold across it. Returns positions in the canonical
 * order.
 */
export function serialOrder(rewrites: readonly PendingRewrite[], { later, earlier }: RuleOrder): Uint32Array {
  if (later.size === 0) return Uint32Array.from(rewrites.keys());
  const positions = new Map<number, number[]>([...later.keys()].map((rule) => [rule, []]));
  const ready = new NumberHeap();
  for (const [position, { compactRule }] of rewrites.entries()) {
    const ofRule = positions.get(compactRule);
    if (ofRule === undefined) ready.push(position);
    else ofRule.push(position);
  }
  const left = new Map([...positions].map(([rule, list]) => [rule, list.length]));
  const blocked = new Map([...earlier].map(([rule, rules]) => [rule, rules.size]));
  const gone = (rule: number) => {
    for (const next of later.get(rule)!) {
      blocked.set(next, blocked.get(next)! - 1);
      if (blocked.get(next) === 0) open(next);
    }
  };
  const open = (rule: number) => {
    for (const position of positions.get(rule)!) ready.push(position);
    if (left.get(rule) === 0) gone(rule);
  };
  for (const [rule, count] of [...blocked]) if (count === 0) open(rule);
  const order = new Uint32Array(rewrites.length);
  for (let at = 0; at < order.length; at++) {
    const position = ready.pop()!;
    order[at] = position;
    const rule = rewrites[position]!.compactRule;
    const rest = left.get(rule);
    if (rest === undefined) continue;
    left.set(rule, rest - 1);
    if (rest === 1) gone(rule);
  }
  return order;
}
