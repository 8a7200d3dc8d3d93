import { resolveZone } from '@horae/clock-store';
import { planCatchUp } from '@horae/midgard-shift';
import { instantOf } from '../arguments/instant-argument.js';
import { defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { submissionText } from './plan-text.js';
import { readState, stateArgument, stateNotes } from './state-file.js';

export const catchUp = defineCommand({
  name: 'horae shift catch-up',
  about: 'The transactions that move the scheduler over the shifts that nobody took',
  args: {
    ...stateArgument,
    at: { type: 'string', alias: 'a', description: 'As of this instant, now by default', valueHint: 'instant' },
    zone: { type: 'string', alias: 'z', description: 'Show times in this zone, UTC by default', valueHint: 'name' },
  },
  examples: [
    { line: 'horae shift catch-up state.json --at 2026-01-01T12:00Z', does: 'what has to be submitted, in order?' },
  ],
  notes: stateNotes,
  async run(args, { clock }) {
    const zone = resolveZone(args.zone ?? 'UTC');
    const at = await instantOf('--at', args.at, { clock, zone });
    const { state, parameters } = await readState(args.state);
    const plans = planCatchUp(state, at, parameters);
    const local = localTimeIn(zone);
    const lines = plans.map((plan) => (plan.possible ? submissionText(plan, local) : `blocked: ${plan.explanation}`));
    return { json: { at, plans }, text: lines.length === 0 ? 'nothing was missed' : lines.join('\n') };
  },
});
