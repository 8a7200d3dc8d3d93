import { expect, test } from 'vitest';
import { InvalidHookResult, runEpoch } from '../../src/index.js';
import { world } from '../support/small-world.js';

const input = world({ walk: { base_duration_min: 5 } }, [{ id: 'A', verb: 'walk', at: '08:00' }]);

test.each([
  ['null', null, /returned null/],
  ['an object', {}, /list of follow-ups/],
  ['a text', 'x', /list of follow-ups/],
  ['a list of null', [null], /null/],
  ['an unknown type', [{ type: 'explode' }], /explode/],
  ['no type', [{}], /undefined/],
  ['a negative delay', [{ type: 'visibility_change', after_min: -1 }], /after_min is -1/],
  ['a fraction of a minute', [{ type: 'visibility_change', after_min: 0.5 }], /after_min is 0.5/],
  ['a delay without end', [{ type: 'visibility_change', after_min: Number.POSITIVE_INFINITY }], /Infinity/],
  ['a meta that is none', [{ type: 'visibility_change', meta: 'x' }], /meta/],
  ['an action without an id', [{ type: 'submit', action: { verb: 'walk', actor: 'Ann' } }], /id/],
  ['no action', [{ type: 'submit' }], /action/],
])('onEnd that returns %s throws an error that names the hook and the action', (_story, value, message) => {
  let caught: unknown;
  try {
    runEpoch(input, { onEnd: () => value as never });
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(InvalidHookResult);
  expect(caught).toMatchObject({ code: 'InvalidHookResult', details: { hook: 'onEnd', action_id: 'A', value } });
  expect((caught as Error).message).toMatch(message);
});
