import { expect, test } from 'vitest';
import { createSimulation, restoreSimulation, runEpoch } from '../../src/index.js';
import { compareRestored } from '../support/compare-restored.js';
import { compareSplit } from '../support/compare-split.js';
import { compareSecond } from '../support/compare-with-model.js';
import { randomSecond } from '../support/random-second.js';

const rounds = process.env.HORAE_LONG ? 20_000 : 800;
const seed = process.env.HORAE_SEED ?? 'second';

test('with units, levels, patience, predecessors, arrivals and outages the engine does what the model does', () => {
  const seen = new Map<unknown, number>();
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/${i}`;
    const { engine, model, result } = compareSecond({ runEpoch }, story);
    expect(engine, story).toEqual(model);
    for (const { type, meta } of result.schedule_events) count(type, meta.reason);
    for (const { code } of result.rejections) count(code);
    for (const { holders } of Object.values(result.locks)) if ((holders?.length ?? 0) > 1) count('several holders');
    for (const { waited_min } of result.carry_over.waiting) if (waited_min > 0) count('still waiting');
  }
  const met = ['cancel', 'outage', 'restore', 'patience', 'called off', 'cancelled', 'preempted', 'UnmetDependency'];
  for (const what of [...met, 'InvalidAction', 'CannotAcquireLock', 'InsufficientResources', 'several holders'])
    expect(seen.get(what), `the scenarios hardly ever have ${what}`).toBeGreaterThan(rounds / 40);

  function count(...whats: unknown[]): void {
    for (const what of whats) seen.set(what, (seen.get(what) ?? 0) + 1);
  }
});

test('any split of the time line gives the same events, with arrivals, outages and everything else', () => {
  for (let i = 0; i < rounds / 2; i++) {
    const story = `${seed}/split/${i}`;
    const { parts, whole } = compareSplit({ runEpoch }, story, false, randomSecond);
    expect(parts, story).toEqual(whole);
  }
});

test('a snapshot at any minute changes nothing, with arrivals, outages and everything else', () => {
  for (let i = 0; i < rounds / 4; i++) {
    const story = `${seed}/snapshot/${i}`;
    const { straight, restored } = compareRestored({ createSimulation, restoreSimulation }, story, randomSecond);
    for (const bytes of restored) expect(bytes, story).toBe(straight);
  }
});
