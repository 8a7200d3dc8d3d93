import { createInterner, type KeyInterner, openInterner } from '../intern/interner.js';
import { inCanonicalOrder } from '../reserve/pending-queue.js';
import { checkRewrite, type PendingRewrite } from '../reserve/pending-rewrite.js';
import { Dependencies } from '../waves/dependencies.js';
import { type DependencyGraph, EdgeList } from '../waves/dependency-graph.js';
import { type RuleLists, type RuleOrder, readRuleOrder } from './rule-order.js';
import { serialOrder } from './serial-order.js';

/** Ordering constraints between rules: `before: { 7: [9] }` puts every rewrite of rule 7 before every one of rule 9. */
export interface OrderOptions {
  /** Rules by number, each with the rules that come after it: `before: { 7: [9] }`. */
  readonly before?: RuleLists;
  /** The same the other way round: `after: { 9: [7] }`. */
  readonly after?: RuleLists;
}

/** The names of these options. */
export const ORDER_OPTIONS = ['before', 'after'] as const;

/** The rewrites to run: checked, in canonical order, with the order in which one thread would run them. */
export interface OrderedRewrites {
  readonly rewrites: readonly PendingRewrite[];
  /** Positions in `rewrites`. */
  readonly serial: Uint32Array;
  readonly rules: RuleOrder;
}

/** Checks the input and orders it. Throws before anything has happened. */
export function orderRewrites(rewrites: readonly PendingRewrite[], { before, after }: OrderOptions): OrderedRewrites {
  const rules = readRuleOrder(before, after);
  for (const rewrite of rewrites) checkRewrite(rewrite);
  const ordered = inCanonicalOrder(rewrites);
  return { rewrites: ordered, serial: serialOrder(ordered, rules), rules };
}

/** Which task waits for which; vertices are positions in the serial order. */
export function planGraph(
  { rewrites, serial, rules }: OrderedRewrites,
  interner: KeyInterner = openInterner(createInterner()),
): DependencyGraph {
  const edges = new EdgeList(rewrites.length);
  const dependencies = new Dependencies(interner, edges);
  const barriers = new RuleBarriers(rules, edges);
  for (let task = 0; task < serial.length; task++) {
    const rewrite = rewrites[serial[task]!]!;
    barriers.place(task, rewrite.compactRule);
    dependencies.place(task, checkRewrite(rewrite));
  }
  return edges.graph();
}

/** Makes the tasks of a rule wait for all tasks of the rules before it, by one join per rule. */
class RuleBarriers {
  private readonly tasks = new Map<number, number[]>();
  private readonly joins = new Map<number, number | undefined>();

  constructor(
    private readonly rules: RuleOrder,
    private readonly edges: EdgeList,
  ) {
    for (const rule of rules.later.keys()) this.tasks.set(rule, []);
  }

  place(task: number, rule: number): void {
    const earlier = this.rules.earlier.get(rule);
    if (earlier === undefined) return;
    for (const before of earlier) {
      const join = this.joinOf(before);
      if (join !== undefined) this.edges.add(join, task);
    }
    this.tasks.get(rule)!.push(task);
  }

  /** The vertex to wait for until a rule is done: called when all its tasks are placed. Undefined when there is none. */
  private joinOf(rule: number): number | undefined {
    if (this.joins.has(rule)) return this.joins.get(rule);
    const own = this.tasks.get(rule)!;
    const members =
      own.length > 0 ? own : [...this.rules.earlier.get(rule)!].flatMap((before) => this.joinOf(before) ?? []);
    const join = members.length === 0 ? undefined : this.edges.join(members);
    this.joins.set(rule, join);
    return join;
  }
}
