import { expect, test } from 'vitest';
import {
  createSimulation,
  type EpochInput,
  type EpochResult,
  queueLengths,
  runEpoch,
  summarize,
} from '../../src/index.js';
import { randomSecond } from '../support/random-second.js';

const rounds = process.env.HORAE_LONG ? 4_000 : 150;
const seed = process.env.HORAE_SEED ?? 'figures';

interface Watched {
  held: number;
  queued: number;
  longest: number;
  lengths: number[];
}

/** Looks at every lock once per minute, after all of the minute has happened. */
function watch(story: string): { locks: Map<string, Watched>; stock: Map<string, number> } {
  const { input, options, minutes } = randomSecond(story);
  const simulation = createSimulation(input, options);
  const locks = new Map<string, Watched>();
  const stock = new Map<string, number>();
  for (let t = 0; t < minutes; t++) {
    const { locks: now, resources } = simulation.runUntil(t).view();
    for (const [name, { held_by, holders, queue }] of Object.entries(now)) {
      const track = locks.get(name) ?? { held: 0, queued: 0, longest: 0, lengths: new Array(minutes).fill(0) };
      locks.set(name, track);
      for (const id of holders ?? (held_by === null ? [] : [held_by])) track.held += unitsOf(input, id, name);
      track.queued += queue.length;
      track.longest = Math.max(track.longest, queue.length);
      track.lengths[t] = queue.length;
    }
    for (const [name, { stock: left }] of Object.entries(resources)) stock.set(name, (stock.get(name) ?? 0) + left);
  }
  return { locks, stock };
}

function unitsOf(input: EpochInput, id: string, lock: string): number {
  const action = input.actions_submitted.find((one) => one.id === id);
  const source = input.arrivals?.find((one) => id.startsWith(one.id.replace('{n}', '')));
  const verb = action?.verb ?? source?.verb ?? 'fix';
  const units = (input.action_defs[verb]!.locks ?? [])
    .map((need) => (typeof need === 'string' ? { name: need, units: 1 } : { units: 1, ...need }))
    .filter(({ name }) => name === lock)
    .map((need) => need.units);
  return Math.max(1, ...units);
}

test('figures are what somebody sees who looks at every minute', () => {
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/${i}`;
    const { input, options, minutes } = randomSecond(story);
    const result = runEpoch(input, options);
    const { locks, resources } = summarize(result);
    const lengths = queueLengths(result);
    const seen = watch(story);
    expect(Object.keys(locks), story).toEqual([...seen.locks.keys()].sort());
    for (const [name, { capacity, utilisation, queue_mean, queue_max }] of Object.entries(locks)) {
      const { held, queued, longest, lengths: byMinute } = seen.locks.get(name)!;
      expect([utilisation * capacity * minutes, queue_mean * minutes, queue_max], `${story} ${name}`).toEqual([
        expect.closeTo(held, 6),
        expect.closeTo(queued, 6),
        longest,
      ]);
      const points = lengths[name]!;
      const steps = byMinute.map((_, t) => points.findLast(([at]) => at <= t)![1]);
      expect(steps, `${story} ${name}`).toEqual(byMinute);
    }
    for (const [name, { mean }] of Object.entries(resources))
      expect(mean * minutes, `${story} ${name}`).toBeCloseTo(seen.stock.get(name) ?? 0, 6);
  }
});

test('figures of a time line are the same however it is split into epochs', () => {
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/split/${i}`;
    const { input, options, minutes } = randomSecond(story);
    const cut = 1 + (i % (minutes - 1));
    const { carry_over: _none, ...fresh } = input;
    const whole = runEpoch(input, options);
    const first = runEpoch({ ...fresh, epoch: { ...input.epoch, end_at: cut } }, options);
    const start_at = first.epoch.end_at;
    const second: EpochResult = runEpoch(
      {
        epoch: { index: 1, start_at, end_at: minutes - cut },
        action_defs: input.action_defs,
        actions_submitted: [],
        carry_over: first.carry_over,
      },
      options,
    );
    const warm_up_min = i % 3 === 0 ? Math.floor(minutes / 2) : 0;
    const [one, two] = [summarize(whole, { warm_up_min }), summarize([first, second], { warm_up_min })];
    expect(rounded(two.locks), story).toEqual(rounded(one.locks));
    expect(rounded(two.verbs), story).toEqual(rounded(one.verbs));
    expect(rounded(two.resources), story).toEqual(rounded(one.resources));
  }
});

/** Sums in another order differ in their last digits. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(10)) : one)));
}
