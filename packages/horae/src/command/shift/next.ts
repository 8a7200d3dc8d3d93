import { resolveZone } from '@horae/clock-store';
import { nextShiftOf, planTransaction } from '@horae/midgard-shift';
import { CommandInputError } from '../command-errors.js';
import { defineCommand } from '../define-command.js';
import { instantOf } from '../instant-argument.js';
import { localTimeIn } from '../local-time.js';
import { relativeTime } from '../relative-time.js';
import { readState, stateArgument, stateNotes } from './state-file.js';

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
  notes: stateNotes,
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
    const lines = [
      shift === null
        ? 'no shift: not in the active list, or no scheduler'
        : `${local(shift.start)} to ${local(shift.end)}, ${relativeTime(shift.start - at)}`,
      plan.possible
        ? `submit: ${plan.redeemer} for ${plan.operator}, valid from ${plan.validity.from === null ? 'any time' : local(plan.validity.from)}${plan.requiredSigner === null ? ', unsigned' : `, signed by ${plan.requiredSigner}`}`
        : `nothing to submit: ${plan.explanation}`,
    ];
    return { json: { operator: args.operator, at, shift, plan }, text: lines.join('\n') };
  },
});
