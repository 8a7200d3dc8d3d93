import { seededRandom } from '@horae/clock-store';
import type { CarryOver, EpochInput, EpochOptions, EpochResult } from '../../src/index.js';
import type { Engine } from './planted-engine.js';
import { isoAt, randomScenario } from './random-scenario.js';

/** A random scenario in one epoch and in several; `distribute` decides whether later inputs bring their own actions. */
export function compareSplit(
  { runEpoch }: Pick<Engine, 'runEpoch'>,
  story: string,
  distribute: boolean,
  scenarioOf = randomScenario,
) {
  const { input, options, minutes } = scenarioOf(story);
  const random = seededRandom(story);
  const inner = new Set(Array.from({ length: 1 + random.below(5) }, () => 1 + random.below(minutes - 1)));
  const cuts = [0, ...[...inner].sort((a, b) => a - b), minutes];
  const parts = runSplit(runEpoch, input, options, cuts, distribute);
  return { parts: told(parts), whole: told([runEpoch(input, options)]) };
}

/** What does not depend on where the cuts are. */
function told(results: readonly EpochResult[]) {
  const { resources, carry_over } = results.at(-1)!;
  const { hash: _differs, finished, ...left } = carry_over;
  return {
    events: results.flatMap(({ schedule_events }) =>
      schedule_events.map(({ type, action_id, at, meta }) => ({ type, action_id, at, meta })),
    ),
    resources,
    rejections: results.flatMap(({ rejections }) => rejections.map(({ id, code }) => ({ id, code }))),
    left: { ...left, finished: [...finished].sort() },
  };
}

/** Runs the windows one after the other. */
function runSplit(
  runEpoch: Engine['runEpoch'],
  input: EpochInput,
  options: EpochOptions,
  cuts: number[],
  distribute: boolean,
): EpochResult[] {
  const results: EpochResult[] = [];
  let carry: CarryOver | undefined;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [from, to] = [cuts[i]!, cuts[i + 1]!];
    const mine = (at: string | number) =>
      !distribute || (String(at) < isoAt(to) && (i === 0 || String(at) >= isoAt(from)));
    const first = i === 0 || distribute;
    const { resources, actions_submitted, interrupts = [], cancellations, arrivals, outages, ...rest } = input;
    const result = runEpoch(
      {
        ...rest,
        ...(i === 0 ? { resources, cancellations, arrivals, outages } : {}),
        actions_submitted: first ? actions_submitted.filter((a) => mine(a.submitted_at)) : [],
        interrupts: first ? interrupts.filter((a) => mine(a.at)) : [],
        epoch: { index: i, start_at: isoAt(from), end_at: isoAt(to) },
        carry_over: carry,
      },
      options,
    );
    carry = JSON.parse(JSON.stringify(result.carry_over)) as CarryOver;
    results.push(result);
  }
  return results;
}
