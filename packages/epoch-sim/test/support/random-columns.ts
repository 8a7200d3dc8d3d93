import { seededRandom } from '@horae/clock-store';
import type { ActionColumns, ActionDef } from '../../src/index.js';
import { isoAt } from './random-scenario.js';

/** Random columns, and the same as an input: every duration and set of locks is a verb. */
export function randomColumns(story: string) {
  const random = seededRandom(story);
  const minutes = 1 + random.below(120);
  const count = random.below(60);
  const locks = 1 + random.below(5);
  const submit = Int32Array.from({ length: count }, () => random.below(minutes + 20) - 10);
  const duration = Int32Array.from({ length: count }, () => 1 + random.below(15));
  const sets = Array.from({ length: count }, () => Array.from({ length: random.below(4) }, () => random.below(locks)));
  const lockOffset = new Uint32Array(count + 1);
  sets.forEach((set, i) => {
    lockOffset[i + 1] = lockOffset[i]! + set.length;
  });
  const columns: ActionColumns = { minutes, submit, duration, lockOffset, lock: Uint32Array.from(sets.flat()) };
  const action_defs: Record<string, ActionDef> = {};
  const actions_submitted = sets.map((set, i) => {
    action_defs[`v${i}`] = { base_duration_min: duration[i]!, locks: set.map((lock) => `l${lock}`) };
    return { id: String(i), actor: 'a', verb: `v${i}`, params: {}, submitted_at: isoAt(submit[i]!) };
  });
  const epoch = { index: 0, start_at: isoAt(0), end_at: isoAt(minutes) };
  return { columns, input: { epoch, actions_submitted, action_defs } };
}
