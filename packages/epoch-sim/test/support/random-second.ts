import { type Random, seededRandom } from '@horae/clock-store';
import type { ActionDef, Distribution, EpochInput, LockDef, LockNeed, Outage } from '../../src/index.js';
import { type RandomScenario, randomScenario } from './random-scenario.js';

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)]!;
const seldom = (random: Random, n: number): boolean => random.below(n) === 0;

/** A random scenario of the first edition with everything that the second one adds, each in a part of them. */
export function randomSecond(seed: string): RandomScenario {
  const { input, options, minutes } = randomScenario(seed);
  const random = seededRandom(`second/${seed}`);
  const locks = ['a', 'b', 'c', 'd'];
  const exclusive = options.actor_exclusive === true;
  const order = exclusive || seldom(random, 2) ? 'fifo' : 'priority';
  const lock_defs: Record<string, LockDef> = {};
  for (const lock of locks) {
    if (seldom(random, 3)) continue;
    const own = seldom(random, 8) && !exclusive ? 'priority' : order;
    lock_defs[lock] = { capacity: 1 + random.below(3), order: own };
  }
  // All of one order, else two orders meet in nearly every action.
  if (order === 'priority') for (const lock of locks) lock_defs[lock] ??= { order };
  const action_defs: Record<string, ActionDef> = {};
  for (const [verb, def] of Object.entries(input.action_defs)) action_defs[verb] = enriched(random, def, minutes);
  action_defs.fix = {
    base_duration_min: 1 + random.below(8),
    ...(seldom(random, 2) ? { locks: [pick(random, ['crew', 'a', 'b'])] } : {}),
  };
  const count = input.actions_submitted.length;
  const someId = () => `x${random.below(count + 1)}`;
  const actions_submitted = input.actions_submitted.map((action, i) => ({
    ...action,
    // What comes after an id that several actions claim is not worth settling.
    id: `x${i}`,
    ...(seldom(random, 6) ? { duration_min: seldom(random, 2) ? 1 + random.below(9) : law(random) } : {}),
    ...(seldom(random, 6) ? { patience_min: 1 + random.below(15) } : {}),
    ...(seldom(random, 5) ? { after: seldom(random, 6) ? [someId()] : [`x${random.below(i + 1)}`, someId()] } : {}),
  }));
  const second: EpochInput = {
    ...input,
    action_defs,
    actions_submitted,
    lock_defs,
    resources: {
      fuel: { stock: random.below(20), ...(seldom(random, 2) ? { max: 20 } : {}) },
      ...(seldom(random, 2) ? { ore: random.below(4) } : {}),
    },
    ...(seldom(random, 2) ? { cancellations: cancellations(random, minutes, someId) } : {}),
    ...(seldom(random, 2) ? { arrivals: arrivals(random, minutes) } : {}),
    ...(seldom(random, 2) ? { outages: outages(random, minutes, locks) } : {}),
  };
  return { input: second, options: { ...options, seed: random.below(100) }, minutes };
}

function enriched(random: Random, def: ActionDef, minutes: number): ActionDef {
  const locks = def.locks!.map((lock): LockNeed => {
    return seldom(random, 4) ? { name: lock as string, units: 1 + random.below(3) } : lock;
  });
  const name = pick(random, ['fuel', 'ore']);
  const made = seldom(random, 3) ? [{ name, amount: 1 + random.below(4), mode: 'produce' as const }] : [];
  return {
    ...def,
    locks,
    resources: [...def.resources!, ...made],
    ...(seldom(random, 5) ? { base_duration_min: law(random) } : {}),
    ...(seldom(random, 2) ? { on_shortage: 'wait' as const } : {}),
    ...(seldom(random, 5) ? { patience_min: 1 + random.below(minutes) } : {}),
  };
}

function law(random: Random): Distribution {
  return pick<Distribution>(random, [
    { kind: 'fixed', value: 0.5 + random.below(8) },
    { kind: 'uniform', min: 0, max: 12 },
    { kind: 'exponential', mean: 6 },
    { kind: 'empirical', values: [1, 3, 12], weights: [2, 0, 1] },
  ]);
}

function cancellations(random: Random, minutes: number, someId: () => string) {
  return Array.from({ length: random.below(6) }, () => ({
    at: random.below(minutes + 10) - 5,
    target: seldom(random, 4) ? pick(random, ['actor:Ann', 'actor:Ben']) : someId(),
    ...(seldom(random, 2) ? { reason: 'called off' } : {}),
  }));
}

function arrivals(random: Random, minutes: number) {
  return Array.from({ length: 1 + random.below(2) }, (_, i) => ({
    verb: `verb${random.below(5)}`,
    every: { ...law(random), ...{} } as Distribution,
    id: `s${i}-{n}`,
    ...(seldom(random, 2) ? { actor: 'Cleo' } : {}),
    ...(seldom(random, 2) ? { from: random.below(minutes) } : {}),
    ...(seldom(random, 2) ? { to: random.below(minutes) + 10 } : {}),
    ...(seldom(random, 2) ? { patience_min: 1 + random.below(9) } : {}),
    count: 1 + random.below(12),
  }));
}

function outages(random: Random, minutes: number, locks: readonly string[]): Outage[] {
  return Array.from({ length: 1 + random.below(3) }, (): Outage => {
    const when = seldom(random, 2) ? { at: random.below(minutes) } : { every: law(random) };
    const repair = pick<Outage['repair']>(random, [1 + random.below(12), law(random), { verb: 'fix' }]);
    const policy = pick(random, ['interrupt', 'finish'] as const);
    return { lock: pick(random, locks), ...when, repair, ...(seldom(random, 2) ? { policy } : {}) };
  });
}
