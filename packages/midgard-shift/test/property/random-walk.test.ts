import { type Random, seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import {
  activate,
  applyTransaction,
  deregister,
  type Edition,
  type LifecycleVerdict,
  type MidgardState,
  operatorAt,
  type ProtocolParameters,
  planTransaction,
  register,
  retire,
  validateTransaction,
} from '../../src/index.js';
import { parameters as base, key, world } from '../support/world.js';

const STEPS = process.env.HORAE_LONG === '1' ? 20_000 : 3_000;

/** The chain with what the theorems look back on. */
interface Walk {
  parameters: ProtocolParameters;
  state: MidgardState;
  now: number;
  served: Set<string>;
  throughout: Set<string>;
}

function startOf(operators: number, edition: Edition): Walk {
  const parameters = { ...base, edition };
  const state = world({ active: Array.from({ length: operators }, (_, index) => 10 * index + 10) });
  return { parameters, state, now: 0, served: new Set([state.scheduler!.operator]), throughout: new Set(state.active) };
}

function requestStep(walk: Walk, random: Random): void {
  const { parameters, state, now } = walk;
  const validity = { from: now, to: now + 1 + random.below(50) };
  const anyone = key(1 + random.below(40_000));
  const signed = (operator: string) => ({ operator, signatories: [operator], validity, bond: 100n });
  const active = state.active[random.below(Math.max(1, state.active.length))] ?? anyone;
  const registrant = state.registered[random.below(Math.max(1, state.registered.length))]?.operator ?? anyone;
  const verdicts: (() => LifecycleVerdict)[] = [
    () => register(state, signed(anyone), parameters),
    () => register(state, signed(anyone), parameters),
    () => activate(state, signed(registrant), parameters),
    () =>
      random.below(5) === 0
        ? deregister(state, signed(registrant), parameters)
        : activate(state, signed(registrant), parameters),
    // A world that dies out proves nothing more.
    () => retire(state, signed(state.active.length > 3 ? active : anyone), parameters),
  ];
  const verdict = verdicts[random.below(verdicts.length)]!();
  if (!verdict.accepted) return;
  for (const each of walk.throughout)
    if (verdict.state.retired.length > state.retired.length && each === active) walk.throughout.delete(each);
  walk.state = verdict.state;
}

function activateAll(walk: Walk, registrants: readonly string[]): void {
  for (const operator of registrants) {
    const { activationTime } = walk.state.registered.find((node) => node.operator === operator)!;
    walk.now = Math.max(walk.now, activationTime);
    const verdict = activate(
      walk.state,
      { operator, signatories: [], validity: { from: walk.now, to: null } },
      walk.parameters,
    );
    if (!verdict.accepted) throw new Error(JSON.stringify(verdict.violations));
    walk.state = verdict.state;
  }
}

function transitionStep(walk: Walk, random: Random): void {
  const { parameters, state, now } = walk;
  const signer = parameters.edition === '2025' ? operatorAt(state, now, parameters) : state.scheduler!.operator;
  const who = random.below(2) === 0 ? null : signer;
  const plan = planTransaction(state, now, who, parameters);
  if (!plan.possible) {
    expect(plan.reason).toBe('registrant-must-activate');
    if (random.below(2) === 0) activateAll(walk, plan.registrants);
    return;
  }
  expect(validateTransaction(state, plan.transaction, parameters)).toEqual({ accepted: true });
  if (plan.validity.from! > now + 3_000) return;
  walk.now = plan.validity.from!;
  const after = applyTransaction(state, plan.transaction, parameters);
  expect(after.scheduler!.shiftStart).toBe(state.scheduler!.shiftStart + parameters.shiftDurationMs);
  if (plan.redeemer === 'rewind') {
    for (const each of walk.throughout) expect(walk.served.has(each)).toBe(true);
    // The window's end is exclusive: in 2026-05 it may be the moment in which the registrant becomes eligible.
    const leastDistance = parameters.edition === '2025' ? 1 : 0;
    for (const { activationTime } of state.registered)
      expect(activationTime).toBeGreaterThanOrEqual(plan.validity.to! + leastDistance);
    walk.served = new Set();
    walk.throughout = new Set(after.active);
  }
  expect(walk.served.has(plan.operator)).toBe(false);
  walk.served.add(plan.operator);
  walk.state = after;
}

describe('a random walk through a large world keeps the theorems', () => {
  test.each([
    { edition: '2025' as const, operators: 5, seed: 1 },
    { edition: '2025' as const, operators: 40, seed: 2 },
    { edition: '2025' as const, operators: 300, seed: 3 },
    { edition: '2026-05' as const, operators: 5, seed: 1 },
    { edition: '2026-05' as const, operators: 40, seed: 2 },
    { edition: '2026-05' as const, operators: 300, seed: 3 },
  ])('edition $edition, from $operators operators', ({ edition, operators, seed }) => {
    const random = seededRandom(seed);
    const walk = startOf(operators, edition);
    for (let step = 0; step < STEPS; step++) {
      const kind = random.below(10);
      if (kind < 6) transitionStep(walk, random);
      else if (kind < 9) requestStep(walk, random);
      else walk.now += random.below(1_500);
      const { active, registered } = walk.state;
      const isInOrder = registered.every(
        ({ activationTime }, index) =>
          index === 0 || registered[index - 1]!.activationTime >= activationTime + (edition === '2025' ? 0 : 1),
      );
      expect(isInOrder).toBe(true);
      expect(new Set(active).size).toBe(active.length);
    }
    expect(walk.state.scheduler!.shiftStart).toBeGreaterThan(100_000);
  });
});
