import { fileURLToPath } from 'node:url';
import { type PlantedFault, plantedBuild } from '@horae-tooling/planting';
import { expect, test } from 'vitest';
import { checkHistory } from '../support/simulation/check-history.js';
import { engineFaults } from '../support/simulation/engine-faults.js';
import { runHistory } from '../support/simulation/run-history.js';
import type { Engine } from '../support/simulation/simulated-node.js';

const MAX_HISTORIES = 3_000;
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = `
  export { startNode } from './engine/start-node.js';
  export { startLocalExecutor } from './engine/local-executor.js';
`;

const engineWith = (fault: PlantedFault) => plantedBuild<Engine>(SOURCE, ENTRY, fault);

test.each(engineFaults)('an engine that $story is caught', async ({ rules, seed = 'engine', ...fault }) => {
  const engine = await engineWith(fault);
  const broken = new Set<string>();
  for (let i = 0; i < MAX_HISTORIES; i++) {
    for (const { rule } of checkHistory(await runHistory(`${seed} ${i}`, { engine }))) broken.add(rule);
    if (rules.some((rule) => broken.has(rule))) return;
  }
  expect.unreachable(`${MAX_HISTORIES} histories broke only ${[...broken].join(', ') || 'nothing'}`);
});

test('a sound engine that was built the same way keeps every promise', async () => {
  const engine = await engineWith({ file: 'batches.ts', code: 'GATHERING_TURNS = 4', instead: 'GATHERING_TURNS = 5' });
  for (let i = 0; i < 20; i++) expect(checkHistory(await runHistory(`engine ${i}`, { engine }))).toEqual([]);
});
