import { fileURLToPath } from 'node:url';
import { type PlantedFault, plantedBuild } from '@horae-tooling/planting';
import type * as engine from '../../src/index.js';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = `
  export { runEpoch } from './epoch/run-epoch.js';
  export { simulateColumns } from './engine/simulate-columns.js';
  export { createSimulation, restoreSimulation } from './simulation/simulation.js';
`;

/** What the property tests ask of an engine. */
export type Engine = Pick<typeof engine, 'runEpoch' | 'simulateColumns' | 'createSimulation' | 'restoreSimulation'>;

/** The properties by which a fault can be found: against the minute model, the closed form, a split, a snapshot. */
export type PropertyName = 'model' | 'columns' | 'split' | 'restored' | 'second' | 'second split' | 'second restored';

/** A mistake in the engine, and the property that finds it. */
export interface Fault extends PlantedFault {
  story: string;
  by: PropertyName;
}

/** The engine built from its sources with one piece replaced. */
export function plantedEngine(fault: PlantedFault): Promise<Engine> {
  return plantedBuild<Engine>(SOURCE, ENTRY, fault);
}
