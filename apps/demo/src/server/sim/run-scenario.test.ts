import { expect, test } from 'vitest';
import { presets } from './presets.js';
import { runScenarioText, viewAt } from './run-scenario.js';

const ferry = presets[0]!.text;
const run = (
  text: string,
  changes = [] as { t: number; target: string; resumeAfterMin: number }[],
  branch: typeof changes | null = null,
) => {
  const answer = runScenarioText({ scenario: text, changes, branch });
  if (!answer.ok) throw new Error(JSON.stringify(answer.faults));
  return answer;
};

test.each(presets)('the scenario "$name" runs and everybody has a lane', ({ text }) => {
  const { main } = run(text);
  expect(main.lanes.length).toBeGreaterThan(5);
  for (const { pieces, rejected } of main.lanes) expect(pieces.length > 0 || rejected !== null).toBe(true);
});

test('faults are answered with their lines', () => {
  const answer = runScenarioText({ scenario: ferry.replace('effort: low', 'effort: none'), changes: [], branch: null });
  expect(answer).toMatchObject({ ok: false, faults: [{ line: 9, path: 'action_defs.refuel.effort' }] });
});

test('an interrupt by hand pauses a lane and says who is ignored', () => {
  const { main } = run(ferry, [{ t: 55, target: 'dock Castor', resumeAfterMin: 20 }]);
  const castor = main.lanes.find(({ id }) => id === 'dock Castor')!;
  expect(castor.pieces.find(({ kind }) => kind === 'pause')?.from).toBe(55);
  expect(run(ferry, [{ t: 1, target: 'unload Castor', resumeAfterMin: 5 }]).main.ignored).toEqual([
    { target: 'unload Castor', reason: 'not_running' },
  ]);
});

test('a branch parts from the day at its own interrupt and nowhere before', () => {
  const { diff } = run(ferry, [], [{ t: 55, target: 'dock Castor', resumeAfterMin: 20 }]);
  expect(diff?.firstAt).toBe(55);
  expect(diff?.there).toContain('interrupt dock Castor');
  expect(run(ferry, [], []).diff).toMatchObject({ firstAt: null, onlyHere: 0, onlyThere: 0 });
});

test('who waits is told why', () => {
  const why = run(ferry).main.lanes.find(({ id }) => id === 'dock Borealis')?.why;
  expect(why).toMatch(/^Waited \d+ min: dock Aurora had (tug|pier) until minute \d+\.$/);
});

test('the world at a minute is what the engine has', () => {
  const view = viewAt(ferry, [], 10);
  expect(view).toMatchObject({ t: 10, running: ['dock Aurora'], waiting: ['dock Borealis'] });
});

test('a player sees less than the world', () => {
  const { main } = run(ferry);
  expect(main.pcLog.length).toBeGreaterThan(0);
  expect(main.pcLog.length).toBeLessThan(main.worldLog.length);
});
