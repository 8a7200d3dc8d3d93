import { expect, test } from 'vitest';
import { presets } from './presets.js';
import { replicateText, runScenarioText, viewAt } from './run-scenario.js';

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

const head = 'epoch: { index: 0, start_at: 2025-07-01T08:00:00, end_at: 2025-07-01T13:00:00 }\n';
const action = (id: string) => `- {id: ${id},actor: a,verb: v,submitted_at: "2025-07-01T08:00:00"}\n`;
const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join('');
/** A scenario of so many actions that all take the same locks. */
const crowd = (actions: number, locks: string) =>
  `${head}action_defs: { v: { base_duration_min: 1, locks: [${locks}] } }\nactions_submitted:\n${many(actions, (i) => action(`a${i}`))}`;

test.each([
  {
    story: 'thousands of locks a lane',
    text: crowd(
      5,
      many(4_000, (i) => `lock-${i}-${'x'.repeat(20)},`),
    ),
  },
  { story: 'thousands of actions that wait for one another', text: crowd(2_800, 'l') },
  {
    story: 'hundreds of locks with long names, each with a queue that changes all the time',
    text: `${head}action_defs:\n${many(200, (i) => `  v${i}: { base_duration_min: 1, locks: [${'x'.repeat(190)}${i}] }\n`)}actions_submitted:\n${many(
      1_400,
      (i) => `- {id: a${i},actor: a,verb: v${i % 200},submitted_at: ${Math.floor(i / 14)}}\n`,
    )}`,
  },
  {
    story: 'ten sources of a thousand arrivals that nobody serves',
    text: `${head}action_defs: { v: { base_duration_min: 200, locks: [${'l'.repeat(180)}] } }\nactions_submitted: []\narrivals:\n${many(
      10,
      (i) => `- { verb: v, every: { kind: fixed, value: 0.3 }, id: "${'y'.repeat(180)}${i}-{n}" }\n`,
    )}`,
  },
  { story: 'names of 5 kB', text: crowd(30, 'l').replaceAll('id: a', `id: ${'x'.repeat(5_000)}`) },
])('an answer is bounded whatever the scenario: $story', ({ text }) => {
  expect(text.length).toBeLessThan(200_000);
  const answer = JSON.stringify(runScenarioText({ scenario: text, changes: [], branch: [] }));
  expect(answer).toContain('"ok":true');
  expect(answer.length).toBeLessThan(1_000_000);
  expect(JSON.stringify(viewAt(text, [], 60)).length).toBeLessThan(100_000);
});

test('actions beyond the lanes that are shown are counted', () => {
  const { main } = run(crowd(500, 'l'));
  expect(main.hiddenLanes).toBe(100);
  expect(main.lanes).toHaveLength(400);
});

test.each([
  {
    story: 'a verb with 12,000 locks, and 1,500 actions',
    text: crowd(
      1_500,
      many(12_000, (i) => `l${i},`),
    ),
    path: 'action_defs',
  },
  { story: 'more actions than the demo takes', text: crowd(3_001, 'l'), path: 'actions_submitted' },
  {
    story: 'a source of a million arrivals per minute',
    text: `${crowd(1, 'l')}arrivals: [{ verb: v, every: { kind: fixed, value: 0.000001 }, id: "a-{n}" }]\n`,
    path: 'arrivals[0].every',
  },
  {
    story: 'hundreds of sources of outages',
    text: `${crowd(1, 'l')}outages:\n${many(300, () => '- { lock: l, every: { kind: fixed, value: 1 }, repair: 1 }\n')}`,
    path: 'outages',
  },
])('what would keep the server busy for minutes is refused: $story', async ({ text, path }) => {
  const refusal = { ok: false, faults: [{ path, expected: expect.stringContaining('at most') }] };
  expect(runScenarioText({ scenario: text, changes: [], branch: null })).toMatchObject(refusal);
  expect(viewAt(text, [], 60)).toMatchObject(refusal);
  expect(await replicateText(text, 2)).toMatchObject(refusal);
});

test('each lock has its figures, and its queue over time ends where nobody waits', () => {
  const { main } = run(ferry);
  const tug = main.figures.find(({ name }) => name === 'tug')!;
  expect(tug.utilisation).toBeGreaterThan(0);
  expect(tug.utilisation).toBeLessThanOrEqual(1);
  expect(Math.max(...tug.queue.map(([, length]) => length))).toBe(tug.queueMax);
  expect(tug.queue.at(-1)![1]).toBe(0);
});

test('replications of a scenario have intervals, and a faulty text its faults', async () => {
  const bank = presets.find(({ name }) => name === 'Bank counter')!.text;
  const found = await replicateText(bank, 8);
  if (!found.ok) throw new Error('faults');
  const busy = found.figures.find(({ name }) => name === 'locks.clerk.utilisation')!;
  expect(busy.low).toBeLessThan(busy.mean);
  expect(busy.high).toBeGreaterThan(busy.mean);
  expect(await replicateText('[', 2)).toMatchObject({ ok: false });
});

test('replications are of the minutes that are shown, with the options of the scenario', async () => {
  const bakery = presets.find(({ name }) => name === 'Bakery before dawn')!.text;
  const { main } = run(bakery);
  const found = await replicateText(bakery, 2);
  if (!found.ok) throw new Error('faults');
  // Nothing is drawn in it, so that every run is the one that is shown; actors are locks by its options.
  for (const lock of ['oven', 'actor:Ada']) {
    const shown = main.figures.find(({ name }) => name === lock)!;
    expect(found.figures.find(({ name }) => name === `locks.${lock}.utilisation`)!.mean).toBeCloseTo(shown.utilisation);
  }
});
