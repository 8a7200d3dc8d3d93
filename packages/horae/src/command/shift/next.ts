import { resolveZone } from '@horae/clock-store';
import { nextShiftOf, planTransaction } from '@horae/midgard-shift';
import { instantOf } from '../arguments/instant-argument.js';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { relativeTime } from '../output/relative-time.js';
import { submissionText, transitionsBefore } from './plan-text.js';
import { readState, stateArgument, stateNotes } from './state-file.js';

const jsonNotes = `
WITH --json

  { operator, at, shift, missing, plan }
  shift     { start, end } in epoch milliseconds, null when there is none
  missing   how many transitions have to be submitted before that shift can be taken
  plan      what the operator can submit next, with the whole window, or why nothing
`;

export const next = defineCommand({
  name: 'horae shift next',
  about: "An operator's next shift, and the next transaction that it can submit",
  args: {
    ...stateArgument,
    operator: { type: 'positional', description: 'The key hash of the operator', required: true },
    at: { type: 'string', alias: 'a', description: 'As of this instant, now by default', valueHint: 'instant' },
    zone: { type: 'string', alias: 'z', description: 'Show times in this zone, UTC by default', valueHint: 'name' },
  },
  examples: [
    { line: `horae shift next state.json ${'a'.repeat(8)}… --at 2026-01-01T08:00Z`, does: 'when is it my turn?' },
  ],
  notes: `${jsonNotes}${stateNotes}`,
  async run(args, { clock }) {
    const zone = resolveZone(args.zone ?? 'UTC');
    const at = await instantOf('--at', args.at, { clock, zone });
    const { state, parameters } = await readState(args.state);
    if (!/^[0-9a-f]{56}$/.test(args.operator)) {
      const hint = 'a key hash has 56 lower case hex digits';
      throw new CommandInputError(`"${args.operator}" is no operator`, { hint, operator: args.operator });
    }
    const shift = nextShiftOf(state, args.operator, at, parameters);
    const plan = planTransaction(state, at, args.operator, parameters);
    const local = localTimeIn(zone);
    const missing = shift === null ? 0 : transitionsBefore(state, shift, parameters);
    const lines = [
      shift === null
        ? 'no shift: not in the active list, or no scheduler'
        : `${local(shift.start)} to ${local(shift.end)}, ${relativeTime(shift.start - at)}`,
      ...(missing === 0 ? [] : [`${missing} ${missing === 1 ? 'transition is' : 'transitions are'} missing before it`]),
      plan.possible ? `submit: ${submissionText(plan, local)}` : `nothing to submit: ${plan.explanation}`,
    ];
    return { json: { operator: args.operator, at, shift, missing, plan }, text: lines.join('\n') };
  },
});
