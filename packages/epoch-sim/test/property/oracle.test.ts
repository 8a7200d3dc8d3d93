import { expect, test } from 'vitest';
import { runEpoch } from '../../src/index.js';
import { compareWithModel } from '../support/compare-with-model.js';

const rounds = process.env.HORAE_LONG ? 20_000 : 1_000;
const seed = process.env.HORAE_SEED ?? 'oracle';

test('the engine and the minute-stepping model give the same events, rejections, ignored interrupts, stocks and locks', () => {
  const seen = new Map<unknown, number>();
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/${i}`;
    const { engine, model, result } = compareWithModel({ runEpoch }, story);
    expect(engine, story).toEqual(model);
    for (const { type, meta } of result.schedule_events) count(type, meta.reason);
    for (const { code } of result.rejections) count(code);
    for (const { reason } of result.ignored_interrupts) count(reason);
  }
  const met = ['visibility_change', 'alarm', 'preempted', 'DuplicateActionId', 'UnknownVerb', 'CannotAcquireLock'];
  for (const what of [...met, 'InsufficientResources', 'not_running', 'not_interruptible', 'priority'])
    expect(seen.get(what), `the scenarios hardly ever have ${what}`).toBeGreaterThan(rounds / 40);

  function count(...whats: unknown[]): void {
    for (const what of whats) seen.set(what, (seen.get(what) ?? 0) + 1);
  }
});
