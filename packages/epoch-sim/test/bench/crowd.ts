import { seededRandom } from '@horae/clock-store';
import type { ActionColumns, EpochInput } from '@horae/epoch-sim';

const START = Date.UTC(2025, 6, 1);
export const MINUTES = 1440;
const iso = (minute: number): string => new Date(START + minute * 60_000).toISOString();

/** A day of `count` actions with one lock each; as many locks as keep them contended without a backlog of days. */
export function crowd(count: number, interrupts = 0): EpochInput {
  const random = seededRandom(count);
  const locks = Math.max(1, Math.ceil(count / 120));
  const action_defs: Record<string, EpochInput['action_defs'][string]> = {};
  for (let lock = 0; lock < locks; lock++)
    action_defs[`work${lock}`] = {
      base_duration_min: 4 + (lock % 16),
      locks: [`lock${lock}`],
      interruptible: lock % 2 === 0,
    };
  const actions_submitted = Array.from({ length: count }, (_, i) => ({
    id: `action${i}`,
    actor: `actor${i % 1000}`,
    verb: `work${random.below(locks)}`,
    params: {},
    submitted_at: iso(random.below(MINUTES)),
  }));
  return {
    epoch: { index: 0, start_at: iso(0), end_at: iso(MINUTES) },
    action_defs,
    actions_submitted,
    interrupts: Array.from({ length: interrupts }, () => ({
      at: iso(random.below(MINUTES)),
      target: `lock:lock${2 * random.below(Math.ceil(locks / 2))}`,
      resume_after_min: random.below(10),
    })),
  };
}

/** The same crowd as columns. */
export function crowdColumns(input: EpochInput): ActionColumns {
  const count = input.actions_submitted.length;
  const submit = new Int32Array(count);
  const duration = new Int32Array(count);
  const lock = new Uint32Array(count);
  input.actions_submitted.forEach((action, i) => {
    submit[i] = (Date.parse(String(action.submitted_at)) - START) / 60_000;
    duration[i] = Number(input.action_defs[action.verb]!.base_duration_min);
    lock[i] = Number(action.verb.slice(4));
  });
  return { minutes: MINUTES, submit, duration, lockOffset: Uint32Array.from({ length: count + 1 }, (_, i) => i), lock };
}
