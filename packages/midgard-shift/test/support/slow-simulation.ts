import type { Random } from '@horae/clock-store';
import {
  activate,
  applyTransaction,
  type LifecycleVerdict,
  type MidgardState,
  type ProtocolParameters,
  planTransaction,
  register,
  retire,
  type Shift,
  type SimulateOptions,
  type Simulation,
} from '../../src/index.js';

/**
 * What `simulate` promises, step by step through the public functions: every transition is planned, validated and applied, every operator
 * registers, is activated and retires by a judged request. Draws from `random` in the same order.
 */
export function simulateSlowly(
  begin: MidgardState,
  options: SimulateOptions,
  parameters: ProtocolParameters,
  random: Random,
): Simulation & { readonly seen: readonly (Shift & { missed: boolean })[] } {
  const { cycles, joins = 0, retirements = 0, absences = 0 } = options;
  const chance = (p: number) => p > 0 && random.uint32() < p * 2 ** 32;
  const times = (expected: number) => Math.floor(expected) + (chance(expected % 1) ? 1 : 0);
  const seen: (Shift & { missed: boolean })[] = [];
  const counts = { shifts: 0, missed: 0, joined: 0, retired: 0 };
  let state = begin;
  let cycleLength = state.active.length;
  for (let rewinds = 0; rewinds < cycles && state.active.length > 0; ) {
    const missed = chance(absences);
    const start = state.scheduler!.shiftStart + parameters.shiftDurationMs;
    const end = start + parameters.shiftDurationMs;
    // In edition 2026-05 nobody needs to sign once a shift has begun.
    const own = parameters.edition === '2026-05' ? start + 1 : start;
    const taken = takeShift(state, missed ? end : own, missed, parameters);
    state = taken.state;
    if (taken.redeemer === 'rewind') {
      rewinds += 1;
      cycleLength = state.active.length;
    }
    counts.shifts += 1;
    counts.missed += missed ? 1 : 0;
    seen.push({ operator: state.scheduler!.operator, start, end, missed });
    const validity = { from: start, to: end };
    const retiring = retirements > 0 ? times(retirements / cycleLength) : 0;
    for (let each = 0; each < retiring && state.active.length > 0; each++) {
      const operator = state.active[random.below(state.active.length)]!;
      state = stateOf(retire(state, { operator, signatories: [operator], validity }, parameters));
      counts.retired += 1;
    }
    const joining = joins > 0 ? times(joins / cycleLength) : 0;
    for (let each = 0; each < joining; each++) {
      const operator = Array.from({ length: 7 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
      const bond = parameters.requiredBond;
      const request = {
        operator,
        signatories: [operator],
        validity: registrationWindow(state, validity, parameters),
        bond,
      };
      state = stateOf(register(state, request, parameters));
      counts.joined += 1;
    }
  }
  return { ...counts, state, seen };
}

function takeShift(state: MidgardState, at: number, missed: boolean, parameters: ProtocolParameters) {
  let now = at;
  for (let rounds = 0; rounds < 100; rounds++) {
    const signer = missed ? null : nextOperator(state);
    const plan = planTransaction(state, now, signer, parameters);
    if (plan.possible) return { redeemer: plan.redeemer, state: applyTransaction(state, plan.transaction, parameters) };
    for (const operator of plan.registrants) {
      now = Math.max(now, state.registered.find((node) => node.operator === operator)!.activationTime);
      state = stateOf(activate(state, { operator, signatories: [], validity: { from: now, to: null } }, parameters));
    }
  }
  throw new Error('a shift that nobody can take');
}

function nextOperator(state: MidgardState): string {
  const below = state.active.filter((key) => key < state.scheduler!.operator);
  return below.at(-1) ?? state.active.at(-1)!;
}

function stateOf(verdict: LifecycleVerdict): MidgardState {
  if (!verdict.accepted) throw new Error(JSON.stringify(verdict.violations));
  return verdict.state;
}

/** The window of the shift; in edition 2026-05 it ends later where its activation time would be that of another registrant. */
function registrationWindow(state: MidgardState, { from, to }: Window, parameters: ProtocolParameters): Window {
  const newest = state.registered[0];
  if (parameters.edition !== '2026-05' || newest === undefined) return { from, to };
  return { from, to: Math.max(to, newest.activationTime + 1 - parameters.registrationDurationMs + 1) };
}

interface Window {
  readonly from: number;
  readonly to: number;
}
