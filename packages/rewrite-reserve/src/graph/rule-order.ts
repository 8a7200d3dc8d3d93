import { isU32 } from '../keys/key-forms.js';
import { RewriteInputError } from '../keys/rewrite-errors.js';

/** Rules and the rules that go later, or earlier: `{ 7: [9] }`. */
export type RuleLists = Readonly<Record<number, readonly number[]>>;

/** Which rules go before which others. */
export interface RuleOrder {
  /** Every rule that is named, with the rules named directly as later and earlier. */
  readonly later: ReadonlyMap<number, ReadonlySet<number>>;
  readonly earlier: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Reads ordering constraints. `before: { 7: [9] }` and `after: { 9: [7] }` are equivalent. Throws 'bad-rule' for a value that is not a rule
 * and 'cyclic-order' with the cycle when no order fulfils them.
 */
export function readRuleOrder(before: RuleLists = {}, after: RuleLists = {}): RuleOrder {
  const later = new Map<number, Set<number>>();
  const earlier = new Map<number, Set<number>>();
  const put = (first: number, second: number) => {
    for (const rule of [first, second]) {
      if (!later.has(rule)) later.set(rule, new Set());
      if (!earlier.has(rule)) earlier.set(rule, new Set());
    }
    later.get(first)!.add(second);
    earlier.get(second)!.add(first);
  };
  for (const [rule, others] of readLists('before', before)) for (const other of others) put(rule, other);
  for (const [rule, others] of readLists('after', after)) for (const other of others) put(other, rule);
  const cycle = findCycle(later);
  if (cycle === undefined) return { later, earlier };
  const text = `The rules cannot be ordered: ${[...cycle, cycle[0]].join(' before ')}. Remove one of these constraints.`;
  throw new RewriteInputError('cyclic-order', text, { field: 'before', value: before, cycle });
}

function readLists(field: string, lists: RuleLists): [number, readonly number[]][] {
  if (typeof lists !== 'object' || lists === null) throw badRule(field, lists, 'an object such as { 7: [9] }');
  return Object.entries(lists).map(([text, others]) => {
    const rule = Number(text);
    if (!isU32(rule)) throw badRule(field, text, 'rules from 0 to 2^32 - 1 as names');
    if (!Array.isArray(others)) throw badRule(`${field}[${rule}]`, others, 'a list of rules');
    for (const other of others) {
      if (!isU32(other)) throw badRule(`${field}[${rule}]`, other, 'rules from 0 to 2^32 - 1');
    }
    return [rule, others];
  });
}

function badRule(field: string, value: unknown, wanted: string): RewriteInputError {
  return new RewriteInputError('bad-rule', `${field} must have ${wanted}, got ${String(value)}`, { field, value });
}

/** The rules of one cycle, each before the next and the last before the first; begins with its smallest rule. */
function findCycle(later: ReadonlyMap<number, ReadonlySet<number>>): number[] | undefined {
  const done = new Set<number>();
  for (const start of [...later.keys()].sort((a, b) => a - b)) {
    // The way from `start` to where the walk is, with what is still to be tried at every rule on it.
    const way = [{ rule: start, left: sortedOf(later.get(start)) }];
    while (way.length > 0) {
      const here = way.at(-1)!;
      const next = here.left.pop();
      if (next === undefined) {
        done.add(here.rule);
        way.pop();
        continue;
      }
      const met = way.findIndex(({ rule }) => rule === next);
      if (met !== -1) return fromSmallest(way.slice(met).map(({ rule }) => rule));
      if (!done.has(next)) way.push({ rule: next, left: sortedOf(later.get(next)) });
    }
  }
  return undefined;
}

const sortedOf = (rules: ReadonlySet<number> | undefined) => [...(rules ?? [])].sort((a, b) => b - a);

function fromSmallest(cycle: number[]): number[] {
  const start = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}
