import { seededRandom } from '@horae/clock-store';
import { simulate as simulateShifts } from '@horae/midgard-shift';
import { fraction, wholeNumber } from '../arguments/number-argument.js';
import { defineCommand } from '../frame/define-command.js';
import { readState, stateArgument, stateNotes } from './state-file.js';

export const simulate = defineCommand({
  name: 'horae shift simulate',
  about: 'Play cycles of shifts with operators joining, retiring and missing their turns',
  args: {
    ...stateArgument,
    cycles: { type: 'string', alias: 'n', description: 'How many new cycles, 10 by default', valueHint: 'number' },
    joins: { type: 'string', description: 'Registrations per cycle, 0 by default', valueHint: 'number' },
    retirements: { type: 'string', description: 'Retirements per cycle, 0 by default', valueHint: 'number' },
    absences: {
      type: 'string',
      description: 'Chance from 0 to 1 that an operator misses its shift',
      valueHint: 'number',
    },
    seed: { type: 'string', description: 'The same seed gives the same run, 1 by default', valueHint: 'number' },
  },
  examples: [
    {
      line: 'horae shift simulate state.json --cycles 100 --absences 0.05 --seed 7',
      does: 'how many shifts are missed?',
    },
  ],
  notes: stateNotes,
  async run(args, { showProgress }) {
    const cycles = wholeNumber('--cycles', args.cycles, { fallback: 10, least: 1, most: 1_000_000 });
    const seed = wholeNumber('--seed', args.seed, { fallback: 1, least: 0, most: 0xffffffff });
    const joins = fraction('--joins', args.joins, 0, 1000);
    const retirements = fraction('--retirements', args.retirements, 0, 1000);
    const absences = fraction('--absences', args.absences, 0);
    const { state, parameters } = await readState(args.state);
    let begun = 0;
    const onShift = () => {
      if (++begun % 100_000 === 0) showProgress(`${begun.toLocaleString('en')} shifts …`);
    };
    const result = simulateShifts(
      state,
      { cycles, joins, retirements, absences, onShift },
      parameters,
      seededRandom(seed),
    );
    const { shifts, missed, joined, retired } = result;
    const text = `${shifts} shifts, ${missed} missed, ${joined} joined, ${retired} retired, ${result.state.active.length} active at the end`;
    return { json: { seed, ...result }, text };
  },
});
