import {
  activate,
  type Edition,
  type MidgardState,
  type ProtocolParameters,
  planTransaction,
  type Transaction,
} from '../../src/index.js';
import type { RuleSet } from '../../src/rules/rule-set.js';
import { contextOf } from '../../src/rules/transaction-context.js';
import { stateAfter } from '../../src/verdict/validate-transaction.js';
import { chainNameOf, LATEST, type Node, nameOf, normalized, otherMoves, tiny } from './small-world.js';
import { type Theorems, theorems } from './theorems.js';
import { forEachTransition } from './transitions.js';
import { key } from './world.js';

const D = tiny.shiftDurationMs;

/** What the checker did, and the first theorem that does not hold. */
export interface Report {
  states: number;
  transactions: number;
  accepted: number;
  broken: string | null;
}

/** The rules under test and what they have to keep. */
export interface Model {
  readonly rules: RuleSet;
  readonly edition: Edition;
  /** Default: those of the edition. */
  readonly theorems?: Theorems;
}

/** How large a world is. */
export interface WorldSize {
  readonly operators: number;
  readonly joins: number;
  readonly retirements: number;
}

/** Walks every state that can be reached from every beginning, breadth first, and stops at the first broken theorem. */
export function checkModel(model: Model, size: WorldSize, mostStates = 5_000_000): Report {
  const { rules, edition, theorems: kept = theorems[edition] } = model;
  const parameters = { ...tiny, edition };
  const report: Report = { states: 0, transactions: 0, accepted: 0, broken: null };
  const seen = new Set<string>();
  const legal = new LegalTransitions(rules, parameters, size.operators, report);
  let frontier: Node[] = [];
  const reach = (node: Node): void => {
    if (node.now > LATEST) return;
    const name = nameOf(node);
    if (seen.has(name)) return;
    seen.add(name);
    frontier.push(node);
  };
  for (const node of beginnings(size)) reach(node);
  while (frontier.length > 0 && report.broken === null) {
    const layer = frontier;
    frontier = [];
    for (const node of layer) {
      report.states += 1;
      if (report.states > mostStates) throw new Error(`more than ${mostStates} states`);
      report.broken ??= stuck(rules, parameters, node);
      for (const next of otherMoves(node, size.operators, parameters)) reach(normalized(next));
      for (const tx of legal.from(node)) {
        report.broken ??= brokenTheorem(kept, node, tx);
        reach(normalized(after(node, tx)));
      }
      if (report.broken !== null) break;
    }
  }
  return report;
}

/** Every set of active operators after Init, with the greatest assigned. */
function* beginnings({ operators, joins, retirements }: WorldSize): Generator<Node> {
  for (let set = 1; set < 2 ** operators; set++) {
    const active = Array.from({ length: operators }, (_, bit) => bit + 1)
      .filter((n) => set & (1 << (n - 1)))
      .map(key);
    const operator = active.at(-1)!;
    const state: MidgardState = {
      scheduler: { operator, shiftStart: 0 },
      hubOracle: true,
      active,
      registered: [],
      retired: [],
    };
    yield { state, now: 0, served: [operator], throughout: active, joins, retirements };
  }
}

/** The transitions that are accepted, found once for each chain: what happened in the cycle before does not change them. */
class LegalTransitions {
  readonly #known = new Map<string, readonly Transaction[]>();

  constructor(
    readonly rules: RuleSet,
    readonly parameters: ProtocolParameters,
    readonly universe: number,
    readonly report: Report,
  ) {}

  from(node: Node): readonly Transaction[] {
    const name = chainNameOf(node);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const legal: Transaction[] = [];
    forEachTransition(node.state, node.now, this.universe, (tx) => {
      this.report.transactions += 1;
      if (isAccepted(this.rules, this.parameters, node.state, tx)) legal.push(tx);
    });
    this.report.accepted += legal.length;
    this.#known.set(name, legal);
    return legal;
  }
}

/** The verdict without its texts: up to the first rule that does not hold. */
function isAccepted(rules: RuleSet, parameters: ProtocolParameters, state: MidgardState, tx: Transaction): boolean {
  const context = contextOf(state, tx, parameters);
  return rules[tx.redeemer].every(({ judge }) => judge(context) === null);
}

function after(node: Node, tx: Transaction): Node {
  const { operator } = tx.schedulerOutput!;
  const state = stateAfter(node.state, tx);
  const isNewCycle = tx.redeemer === 'rewind';
  return {
    ...node,
    state,
    served: isNewCycle ? [operator] : [...node.served, operator].sort(),
    throughout: isNewCycle ? state.active : node.throughout,
  };
}

/** The theorem that an accepted transition breaks; null when it breaks none. */
function brokenTheorem(kept: Theorems, node: Node, tx: Transaction): string | null {
  const { state, served, throughout } = node;
  const { operator, shiftStart } = tx.schedulerOutput!;
  const say = (theorem: string) => `${theorem}: ${tx.redeemer} to ${Number.parseInt(operator, 16)} in ${nameOf(node)}`;
  // The shift of the input is [0, D): the next one begins where it ends, so at no time are two on shift, and no time is left out.
  if (shiftStart < D) return say('a shift overlaps the one before it');
  if (shiftStart > D) return say('a shift is skipped');
  if (!state.active.includes(operator)) return say('an operator on shift was not active when it was assigned');
  const withoutConsent = kept.consent(node, tx);
  if (withoutConsent !== null) return say(withoutConsent);
  if (tx.redeemer === 'advance' && served.includes(operator)) return say('someone serves twice in a cycle');
  if (tx.redeemer === 'rewind') {
    if (throughout.some((each) => !served.includes(each))) return say('someone active all the cycle is left out');
    const { to } = tx.validity;
    const isEligible = ({ activationTime }: { activationTime: number }) =>
      to === null || kept.isEligible(activationTime, to);
    if (state.registered.some(isEligible)) return say('an eligible registrant is passed over');
  }
  return null;
}

/** Someone is active and yet nothing can ever happen: no plan is accepted, and no activation leads to one. */
function stuck(rules: RuleSet, parameters: ProtocolParameters, { state, now }: Node): string | null {
  let at = { state, now };
  for (let rounds = 0; rounds <= state.registered.length; rounds++) {
    const plan = planTransaction(at.state, at.now, null, parameters);
    if (plan.possible) {
      const isLegal = isAccepted(rules, parameters, at.state, plan.transaction);
      return isLegal ? null : `stuck: the plan is refused in ${JSON.stringify(at.state)}`;
    }
    if (plan.reason === 'no-active-operator') return null;
    at = activateAll(at.state, at.now, plan.registrants, parameters);
  }
  return `stuck: activations without end in ${JSON.stringify(state)}`;
}

function activateAll(state: MidgardState, now: number, registrants: readonly string[], parameters: ProtocolParameters) {
  for (const operator of registrants) {
    const { activationTime } = state.registered.find((node) => node.operator === operator)!;
    now = Math.max(now, activationTime);
    const verdict = activate(state, { operator, signatories: [], validity: { from: now, to: null } }, parameters);
    if (!verdict.accepted) throw new Error(`${operator} cannot be activated at ${now}`);
    state = verdict.state;
  }
  return { state, now };
}
