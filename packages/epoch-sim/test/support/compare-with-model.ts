import type { EpochResult } from '../../src/index.js';
import { runModel } from './minute-model.js';
import type { Engine } from './planted-engine.js';
import { type RandomScenario, randomScenario } from './random-scenario.js';
import { randomSecond } from './random-second.js';

/** What engine and model must agree on, in one shape. */
export interface Agreed {
  events: unknown[];
  rejections: unknown[];
  ignored: unknown[];
  stocks: Map<string, unknown>;
  holders: Map<string, string>;
}

/** One random scenario, answered by an engine and by the minute-stepping model. */
export interface Comparison {
  engine: Agreed;
  model: Agreed;
  result: EpochResult;
}

export function compareWithModel({ runEpoch }: Pick<Engine, 'runEpoch'>, story: string): Comparison {
  return compareScenario(runEpoch, randomScenario(story));
}

/** The same with everything that the second edition adds. */
export function compareSecond({ runEpoch }: Pick<Engine, 'runEpoch'>, story: string): Comparison {
  const comparison = compareScenario(runEpoch, randomSecond(story));
  // In which order those are rejected who come after the same action is nowhere settled.
  for (const side of [comparison.engine, comparison.model])
    side.rejections = side.rejections.map((one) => JSON.stringify(one)).sort();
  return comparison;
}

/** The same for a scenario that is at hand. */
export function compareScenario(runEpoch: Engine['runEpoch'], { input, options, minutes }: RandomScenario): Comparison {
  const result = runEpoch(input, options);
  const { events, rejections, ignored, stocks, holders } = runModel(input, minutes, options);
  return {
    engine: agreed(result),
    model: { events, rejections, ignored, stocks, holders: new Map([...holders].sort()) },
    result,
  };
}

function agreed(result: EpochResult): Agreed {
  return {
    events: result.schedule_events.map(plainEvent),
    rejections: result.rejections.map(({ id, code, t }) => ({ id, code, minute: t })),
    ignored: result.ignored_interrupts.map(({ target, reason, t }) => ({ target, reason, minute: t })),
    stocks: new Map(Object.entries(result.resources)),
    holders: new Map(
      Object.entries(result.locks).flatMap(([name, { held_by }]): [string, string][] =>
        held_by === null ? [] : [[name, held_by]],
      ),
    ),
  };
}

function plainEvent({ type, action_id, t, meta }: EpochResult['schedule_events'][number]) {
  if (type === 'start')
    return { type, action_id, minute: t, d: meta.d_eff, attempt: meta.attempt, waited: meta.waited_min };
  if (type === 'cancel')
    return { type, action_id, minute: t, reason: meta.reason, ...(meta.d_rem === undefined ? {} : { d: meta.d_rem }) };
  return type === 'interrupt' ? { type, action_id, minute: t, d: meta.d_rem } : { type, action_id, minute: t };
}
