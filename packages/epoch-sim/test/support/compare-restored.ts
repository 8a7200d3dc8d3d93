import { seededRandom } from '@horae/clock-store';
import type { Simulation } from '../../src/index.js';
import type { Engine } from './planted-engine.js';
import { randomScenario } from './random-scenario.js';

/** A random scenario run straight, and carried on after a snapshot at some minute: by itself, from JSON and from bytes. */
export function compareRestored(
  { createSimulation, restoreSimulation }: Pick<Engine, 'createSimulation' | 'restoreSimulation'>,
  story: string,
  scenarioOf = randomScenario,
): { straight: string; restored: string[] } {
  const { input, options, minutes } = scenarioOf(story);
  const at = seededRandom(story).below(minutes + 1) - 1;
  const straight = createSimulation(input, options).runUntil(minutes);
  const first = createSimulation(input, options);
  if (at >= 0) first.runUntil(at);
  const json = restoreSimulation(JSON.parse(JSON.stringify(first.snapshot())));
  const binary = restoreSimulation(first.snapshot({ format: 'binary' }).slice());
  return {
    straight: bytesOf(straight),
    restored: [first, json, binary].map((simulation) => bytesOf(simulation.runUntil(minutes))),
  };
}

function bytesOf(simulation: Simulation): string {
  return JSON.stringify([simulation.events(), simulation.result(), simulation.snapshot()]);
}
