import { fileURLToPath } from 'node:url';
import { openDatabase } from '@horae/clock-store/storage';
import { plantedBuild } from '@horae-tooling/planting';
import { expect, onTestFinished, test } from 'vitest';
import { memoryJobStore, sqlJobStore } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { checkFlows } from '../support/simulation/check-flows.js';
import { runFlowHistory } from '../support/simulation/flow-history.js';
import type { Engine } from '../support/simulation/simulated-node.js';

const HISTORIES = process.env.HORAE_LONG ? 5_000 : 150;
const ON_A_DATABASE = process.env.HORAE_LONG ? 100 : 6;

test(`${HISTORIES} random histories with crashes between any two statements break no promise about flows`, async () => {
  const ends = new Set<string>();
  let flows = 0;
  for (let i = 0; i < HISTORIES; i++) {
    const history = await runFlowHistory(`flows ${i}`, { store: memoryJobStore() });
    expect(checkFlows(history), `runFlowHistory("flows ${i}")`).toEqual([]);
    for (const { state } of history.flows) ends.add(state);
    flows += history.flows.length;
  }
  expect([...ends].sort()).toEqual(['failed', 'killed', 'succeeded']);
  expect(flows).toBeGreaterThan(HISTORIES);
});

const seeds = Array.from({ length: ON_A_DATABASE }, (_, i) => `flows ${i}`);

onEveryDatabase(() => {
  let flows = 0;
  test.each(seeds)('the history "%s" on a database breaks none either', async (seed) => {
    const { database: url, claim } = networkPlace();
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    const history = await runFlowHistory(seed, { store: await sqlJobStore(database), claim, isServer: true });
    flows += history.flows.length;
    expect(checkFlows(history)).toEqual([]);
  });

  // Either of the two calls that start one may meet a crash.
  test('these histories had flows', () => expect(flows).toBeGreaterThanOrEqual(ON_A_DATABASE));
});

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = `
  export { startNode } from './engine/start-node.js';
  export { startLocalExecutor } from './engine/local-executor.js';
`;
const MAX_HISTORIES = 1_000;

test.each([
  {
    story: 'starts a step while one before it is open',
    rule: 'early',
    fault: { file: 'judge-step.ts', code: 'if (openBefore > 0)', instead: 'if (openBefore > 1)' },
  },
  {
    story: 'takes a failed attempt for the end of a step',
    rule: 'early',
    fault: { file: 'write-ends.ts', code: 'await endedSteps(trx, last)', instead: 'await endedSteps(trx, ended)' },
  },
  {
    story: 'leaves what was skipped as it is when a step is tried again',
    rule: 'steps',
    fault: { file: 'settle-steps.ts', code: "judgeStep(standing) === 'wait')", instead: 'false)' },
  },
  {
    story: 'hands in what a step had given before',
    rule: 'params',
    fault: { file: 'write-steps.ts', code: 'fresh.has(id)', instead: 'false' },
  },
  {
    story: 'starts steps of a flow that was cancelled',
    rule: 'cancelled',
    fault: { file: 'cancel-flow.ts', code: "state: 'skipped' })", instead: "state: 'waiting' })" },
  },
])('an engine that $story is caught', async ({ rule, fault }) => {
  const engine = await plantedBuild<Engine>(SOURCE, ENTRY, fault);
  for (let i = 0; i < MAX_HISTORIES; i++) {
    const breaches = checkFlows(await runFlowHistory(`planted ${i}`, { store: memoryJobStore(), engine }));
    if (breaches.some((text) => text.startsWith(`${rule}:`))) return;
  }
  expect.unreachable(`${MAX_HISTORIES} histories did not break "${rule}"`);
});
