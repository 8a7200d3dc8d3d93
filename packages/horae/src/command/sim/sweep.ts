import { loadScenario, sweep } from '@horae/epoch-sim';
import { readInput } from '../documents/read-input.js';
import { defineCommand } from '../frame/define-command.js';
import { estimatesText, replicationSettings } from './figures.js';
import { sweepParameters } from './sweep-parameters.js';

export const sweepCommand = defineCommand({
  name: 'horae sim sweep',
  about: 'Run a scenario at every combination of some values',
  args: {
    scenario: { type: 'positional', description: 'A YAML or JSON file, or - for standard input', required: true },
    set: {
      type: 'string',
      description: 'A path into the scenario and its values; may be given several times',
      valueHint: 'path=v1,v2',
      required: true,
    },
    runs: { type: 'string', description: 'Runs at each point', valueHint: 'number', required: true },
    seed: { type: 'string', description: 'What all draws depend on, 0 by default', valueHint: 'text' },
    workers: { type: 'string', description: 'Threads, this one alone by default', valueHint: 'number' },
  },
  examples: [
    { line: 'horae sim sweep queue.yaml --set lock_defs.desk.capacity=1,2,3 --runs 50', does: 'how many desks?' },
    {
      line: 'horae sim sweep queue.yaml --set lock_defs.desk.capacity=1,2 --set arrivals.0.every.mean=5,10 --runs 20',
      does: 'all combinations; the last parameter changes fastest',
    },
  ],
  async run(args, { showProgress }, given) {
    const scenario = loadScenario(await readInput(args.scenario));
    const points = await sweep(scenario, sweepParameters(given), replicationSettings(args, showProgress));
    const text = points.map((point) => `${pointText(point.point)}\n${estimatesText(point)}`).join('\n\n');
    return { json: points, text };
  },
});

function pointText(point: Record<string, unknown>): string {
  return Object.entries(point)
    .map(([path, value]) => `${path} = ${JSON.stringify(value)}`)
    .join(', ');
}
