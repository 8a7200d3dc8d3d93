import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { type ActionColumns, type ActionDef, runEpoch, simulateColumns } from '../../src/index.js';
import { runModel } from '../support/minute-model.js';
import { isoAt } from '../support/random-scenario.js';

const rounds = process.env.HORAE_LONG ? 5_000 : 400;
const seed = process.env.HORAE_SEED ?? 'columns';

/** Random columns, and the same as an input: every duration and set of locks is a verb. */
function randomColumns(story: string) {
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

test('closed form, event-driven engine and minute-stepping model give the same events in the same order', () => {
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/${i}`;
    const { columns, input } = randomColumns(story);
    const { type, action, t, carried } = simulateColumns(columns);
    const result = runEpoch(input);
    const wanted = result.schedule_events.map((event) => [event.type, event.action_id, event.t]);
    expect(
      Array.from(type, (kind, at) => [kind === 0 ? 'start' : 'end', String(action[at]), t[at]]),
      story,
    ).toEqual(wanted);
    const model = runModel(input, columns.minutes);
    expect(wanted, story).toEqual(model.events.map((event) => [event.type, event.action_id, event.minute]));
    const { running, waiting, future } = result.carry_over;
    const left = [...running, ...waiting, ...future].map(({ id }) => Number(id)).sort((a, b) => a - b);
    expect([...carried], story).toEqual(left);
  }
});
