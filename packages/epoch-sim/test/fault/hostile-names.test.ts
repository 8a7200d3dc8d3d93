import { expect, test } from 'vitest';
import {
  createSimulation,
  explainWait,
  formatTimeline,
  renderGantt,
  restoreSimulation,
  runEpoch,
  runEpochs,
} from '../../src/index.js';

const epoch = { index: 0, start_at: '2025-07-01T08:00:00', end_at: '2025-07-01T08:30:00' };
const submitted_at = '2025-07-01T08:00:00';
const names = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '',
  ' ',
  '\u0000\u001b[31m',
  '\ud800',
  '<script>',
  'x'.repeat(1 << 20),
];

test.each(names.map((name) => [name.slice(0, 20), name]))('the name %j is harmless everywhere', (_short, name) => {
  const defs = JSON.parse(`{${JSON.stringify(name)}: {"base_duration_min": 20, "interruptible": true}}`);
  defs.other = { base_duration_min: 20, locks: [name, 'tool'], resources: [{ name, amount: 1 }] };
  const input = {
    epoch,
    action_defs: defs,
    actions_submitted: [
      { id: name, actor: name, verb: name, params: {}, submitted_at },
      { id: 'B', actor: name, verb: 'other', params: {}, submitted_at },
      { id: 'C', actor: name, verb: 'other', params: {}, submitted_at },
    ],
    resources: JSON.parse(`{${JSON.stringify(name)}: 5}`),
    skills: JSON.parse(`{${JSON.stringify(name)}: {${JSON.stringify(name)}: 1}}`),
    interrupts: [{ at: '2025-07-01T08:05:00', target: name }],
    pc: name,
    allies: [name],
  };
  const [first, second] = runEpochs(input, 2, { actor_exclusive: false });
  expect(first!.rejections).toEqual([]);
  expect(first!.schedule_events.filter(({ type }) => type === 'start')).toHaveLength(4);
  expect(Object.hasOwn(first!.locks, name)).toBe(true);
  expect(Object.getOwnPropertyDescriptor(second!.resources, name)!.value).toEqual({ stock: 3, reserved: 0 });
  expect(second!.schedule_events.at(-1)).toMatchObject({ type: 'end', action_id: 'C' });
  expect(explainWait(first!, 'C')!.chain).toMatchObject([{ action_id: 'B' }]);
  const restored = restoreSimulation(createSimulation(input).runUntil(10).snapshot({ format: 'binary' }));
  expect(restored.runUntil(60).events()).toEqual(createSimulation(input).runUntil(60).events());
  expect(renderGantt(first!).length).toBeLessThan(20_000);
  expect(renderGantt(first!)).not.toContain('<script>');
  expect(formatTimeline(first!)).not.toContain('\u001b');
  expect(({} as Record<string, unknown>).base_duration_min).toBeUndefined();
});

test('an unknown verb of a megabyte makes a short message', () => {
  const action = { id: 'x'.repeat(1 << 20), actor: 'a', verb: 'y'.repeat(1 << 20), params: {}, submitted_at };
  const { rejections } = runEpoch({ epoch, action_defs: {}, actions_submitted: [action] });
  expect(rejections[0]!.code).toBe('UnknownVerb');
  expect(rejections[0]!.message.length).toBeLessThan(500);
});

test('inherited definitions, skills and stocks do not exist', () => {
  const inherit = (value: object) => Object.create(value);
  const { rejections } = runEpoch({
    epoch,
    action_defs: inherit({ walk: { base_duration_min: 5 } }),
    actions_submitted: [{ id: 'A', actor: 'a', verb: 'walk', params: {}, submitted_at }],
  });
  expect(rejections).toMatchObject([{ id: 'A', code: 'UnknownVerb' }]);
});
