import { expect, test } from 'vitest';
import { draftFaults, draftOfFlow, emptyFlow, emptyStep, flowOf, messageAt, stepPath } from './flow-draft.js';

const step = (name: string, change: object = {}) => ({ ...emptyStep, name, job: 'echo', ...change });

test('a draft becomes the flow that it means: ids and keys, several steps before, own params', () => {
  const draft = {
    name: 'night',
    steps: [
      step('fetch', { job: ' 12 ' }),
      step('check, twice', { after: 'fetch\n\n', when: 'over', params: '{ "from": "fetch" }' }),
    ],
  } as const;
  const flow = {
    name: 'night',
    steps: {
      fetch: { job: 12 },
      'check, twice': { job: 'echo', after: ['fetch'], when: 'over', params: { from: 'fetch' } },
    },
  };
  expect(flowOf(draft)).toEqual(flow);
  expect(draftOfFlow(flow)).not.toBeNull();
  expect(flowOf(draftOfFlow(flow)!)).toEqual(flow);
});

test.each([
  { story: 'an empty form', draft: emptyFlow, faults: ['name no-name', 'steps.#1.name no-name'] },
  {
    story: 'two steps of one name',
    draft: { name: 'f', steps: [step('a'), step('a')] },
    faults: ['steps.#2.name name-taken'],
  },
  {
    story: 'params that are no JSON',
    draft: { name: 'f', steps: [step('a', { params: '{' })] },
    faults: ['steps.a.params bad-json'],
  },
  { story: 'nothing', draft: { name: 'f', steps: [step('a', { params: ' ' })] }, faults: [] },
])('$story has its faults by field', ({ draft, faults }) => {
  expect(draftFaults(draft).map(({ path, fault }) => `${path} ${fault}`)).toEqual(faults);
});

test('what the server says about a field stands beside it, dots in names or not', () => {
  const issues = [{ path: 'steps.a.b.params.from', message: 'not before' }];
  const steps = [step('a.b'), step('a')];
  expect(messageAt(issues, stepPath(steps, 0, 'params'))).toBe('not before');
  expect(messageAt(issues, stepPath(steps, 1, 'params'))).toBeNull();
});

test.each([null, 3, 'x', {}, { name: 'f' }, { name: 'f', steps: [] }, { name: 1, steps: {} }])(
  '%j is no flow',
  (value) => {
    expect(draftOfFlow(value)).toBeNull();
  },
);
