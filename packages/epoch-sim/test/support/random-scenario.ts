import { type Random, seededRandom } from '@horae/clock-store';
import type { ActionDef, ActionInstance, EpochInput, EpochOptions, Interrupt, Modifier } from '../../src/index.js';

const START = Date.UTC(2025, 6, 1, 20, 0);

/** ISO text of a minute after the start that all random scenarios share. */
export const isoAt = (minute: number): string => new Date(START + minute * 60_000).toISOString();

/** The minute of the UTC day. */
const ofDay = (minute: number): number => (START / 60_000 + minute) % 1440;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)]!;

export interface RandomScenario {
  input: EpochInput;
  options: EpochOptions;
  minutes: number;
}

/**
 * A small crowded world: few locks, short durations, and in half of them things happen every sixth minute only, so that
 * everything meets everything. One in forty is stretched over days, longer than the calendar's window.
 */
export function randomScenario(seed: string): RandomScenario {
  const random = seededRandom(seed);
  const stretch = random.below(40) === 0 ? 60 : 1;
  const minutes = (20 + random.below(100)) * stretch;
  const step = stretch * (random.below(2) === 0 ? 6 : 1);
  const someMinute = () => random.below(Math.ceil(minutes / step)) * step;
  const locks = ['a', 'b', 'c', 'd'].slice(0, 1 + random.below(4));
  const actors = ['Ann', 'Ben', 'Cleo'];
  const withPreemption = random.below(2) === 0;
  const oneLockEach = random.below(3) === 0;
  const defs: Record<string, ActionDef> = {};
  for (let i = 0; i < 5; i++) {
    defs[`verb${i}`] = {
      base_duration_min: 1 + random.below(20 * stretch),
      effort: pick(random, ['low', 'medium', 'high'] as const),
      interruptible: random.below(4) > (withPreemption ? 0 : 1),
      locks: oneLockEach
        ? [pick(random, locks)]
        : [...locks, ...(random.below(8) === 0 ? ['actor:Ann'] : [])].filter(() => random.below(2) === 0),
      may_trigger_event: random.below(3) === 0,
      resources:
        random.below(3) > 0
          ? []
          : Array.from({ length: 1 + random.below(2) }, () => ({
              name: 'fuel',
              amount: 1 + random.below(3),
              mode: pick(random, ['consume', 'return'] as const),
            })),
      priority: random.below(4),
      preempts: withPreemption && random.below(2) === 0,
      ...(random.below(6) === 0 ? { on_conflict: pick(random, ['queue', 'fail'] as const) } : {}),
      ...(random.below(4) === 0 ? { scope: 'public' } : {}),
    };
  }
  const count = 3 + random.below(25);
  const actions: ActionInstance[] = Array.from({ length: count }, (_, i) => ({
    id: random.below(20) === 0 ? 'x0' : `x${i}`,
    actor: pick(random, actors),
    verb: random.below(25) === 0 ? '__proto__' : `verb${random.below(5)}`,
    params: {},
    submitted_at: isoAt(someMinute() - (random.below(6) === 0 ? random.below(20) : 0)),
    ...(random.below(5) === 0 ? { priority: random.below(5) } : {}),
  }));
  const interrupts: Interrupt[] = Array.from({ length: random.below(random.below(2) === 0 ? 8 : 24) }, () => ({
    at: isoAt(someMinute()),
    target: pick(random, [`x${random.below(count)}`, `actor:${pick(random, actors)}`, `lock:${pick(random, locks)}`]),
    priority: random.below(5),
    resume: pick(random, ['auto', 'auto', 'never'] as const),
    resume_after_min: random.below(3) === 0 ? random.below(3) * step : 0,
    reason: 'alarm',
  }));
  const modifiers: Modifier[] = Array.from({ length: random.below(3) }, () => ({
    factor: pick(random, [0.5, 0.85, 1.1, 1.25, 1.07]),
    ...(random.below(2) === 0 ? { verb: `verb${random.below(5)}` } : {}),
    ...(random.below(2) === 0 ? { from: ofDay(someMinute()), to: ofDay(someMinute()) } : {}),
  }));
  const input: EpochInput = {
    epoch: { index: random.below(4), start_at: isoAt(0), end_at: isoAt(minutes) },
    actions_submitted: actions,
    action_defs: defs,
    skills: { Ann: { verb0: random.below(7) / 2, verb1: random.below(7) / 2 }, Ben: { verb2: 3 } },
    resources: { fuel: random.below(20) },
    modifiers,
    interrupts,
    pc: 'Ann',
    allies: ['Ben'],
  };
  const options: EpochOptions = {
    ...(random.below(5) === 0 ? { lock_policy: 'fail' as const } : {}),
    ...(random.below(3) === 0 ? { actor_exclusive: true } : {}),
  };
  return { input, options, minutes };
}
