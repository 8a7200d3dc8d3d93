import { expect, test } from 'vitest';
import { type EpochResult, runEpoch } from '../../src/index.js';
import { runModel } from '../support/minute-model.js';
import { randomScenario } from '../support/random-scenario.js';

const rounds = process.env.HORAE_LONG ? 20_000 : 1_000;
const seed = process.env.HORAE_SEED ?? 'oracle';

function plain(result: EpochResult) {
  return result.schedule_events.map(({ type, action_id, t, meta }) => {
    if (type === 'start')
      return { type, action_id, minute: t, d: meta.d_eff, attempt: meta.attempt, waited: meta.waited_min };
    return type === 'interrupt' ? { type, action_id, minute: t, d: meta.d_rem } : { type, action_id, minute: t };
  });
}

test('the engine and the minute-stepping model give the same events, rejections, ignored interrupts, stocks and locks', () => {
  const seen = new Map<unknown, number>();
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/${i}`;
    const { input, options, minutes } = randomScenario(story);
    const result = runEpoch(input, options);
    const model = runModel(input, minutes, options);
    expect(plain(result), story).toEqual(model.events);
    expect(
      result.rejections.map(({ id, code, t }) => ({ id, code, minute: t })),
      story,
    ).toEqual(model.rejections);
    expect(
      result.ignored_interrupts.map(({ target, reason, t }) => ({ target, reason, minute: t })),
      story,
    ).toEqual(model.ignored);
    for (const { type, meta } of result.schedule_events) count(type, meta.reason);
    for (const { code } of result.rejections) count(code);
    for (const { reason } of result.ignored_interrupts) count(reason);
    expect(result.resources, story).toEqual(Object.fromEntries(model.stocks));
    const held = Object.entries(result.locks).filter(([, lock]) => lock.held_by !== null);
    expect(new Map(held.map(([name, lock]) => [name, lock.held_by])), story).toEqual(
      new Map([...model.holders].sort()),
    );
  }
  const met = ['visibility_change', 'alarm', 'preempted', 'DuplicateActionId', 'UnknownVerb', 'CannotAcquireLock'];
  for (const what of [...met, 'InsufficientResources', 'not_running', 'not_interruptible', 'priority'])
    expect(seen.get(what), `the scenarios hardly ever have ${what}`).toBeGreaterThan(rounds / 40);

  function count(...whats: unknown[]): void {
    for (const what of whats) seen.set(what, (seen.get(what) ?? 0) + 1);
  }
});
