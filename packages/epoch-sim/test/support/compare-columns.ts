import { runModel } from './minute-model.js';
import type { Engine } from './planted-engine.js';
import { randomColumns } from './random-columns.js';

/** Random columns, answered by the closed form, by the event-driven engine and by the model; `left` is what has not ended. */
export function compareColumns(
  { simulateColumns, runEpoch }: Pick<Engine, 'simulateColumns' | 'runEpoch'>,
  story: string,
) {
  const { columns, input } = randomColumns(story);
  const { type, action, t, carried } = simulateColumns(columns);
  const result = runEpoch(input);
  const { running, waiting, future } = result.carry_over;
  const left = [...running, ...waiting, ...future].map(({ id }) => Number(id)).sort((a, b) => a - b);
  const model = runModel(input, columns.minutes).events.map((event) => [event.type, event.action_id, event.minute]);
  return {
    closedForm: {
      events: Array.from(type, (kind, at) => [kind === 0 ? 'start' : 'end', String(action[at]), t[at]]),
      left: [...carried],
    },
    engine: { events: result.schedule_events.map((event) => [event.type, event.action_id, event.t]), left },
    model,
  };
}
