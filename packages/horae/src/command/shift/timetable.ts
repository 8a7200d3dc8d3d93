import { resolveZone } from '@horae/clock-store';
import { timetable as timetableOf } from '@horae/midgard-shift';
import { instantOf } from '../arguments/instant-argument.js';
import { wholeNumber } from '../arguments/number-argument.js';
import { defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { textTable } from '../output/text-table.js';
import { readState, stateArgument, stateNotes } from './state-file.js';

export const timetable = defineCommand({
  name: 'horae shift timetable',
  about: 'The next shifts, as the active list stands',
  args: {
    ...stateArgument,
    count: { type: 'string', alias: 'n', description: 'How many shifts, 10 by default', valueHint: 'number' },
    from: {
      type: 'string',
      alias: 'f',
      description: 'From the shift of this instant on, now by default',
      valueHint: 'instant',
    },
    zone: { type: 'string', alias: 'z', description: 'Show times in this zone, UTC by default', valueHint: 'name' },
  },
  examples: [{ line: 'horae shift timetable state.json --count 24 --zone Europe/Berlin', does: 'a day of shifts' }],
  notes: stateNotes,
  async run(args, { clock }) {
    const zone = resolveZone(args.zone ?? 'UTC');
    const count = wholeNumber('--count', args.count, { fallback: 10, least: 1, most: 1_000_000 });
    const from = await instantOf('--from', args.from, { clock, zone });
    const { state, parameters } = await readState(args.state);
    const shifts = timetableOf(state, parameters, { from, count });
    const local = localTimeIn(zone);
    const text = textTable(shifts.map(({ operator, start, end }) => [local(start), local(end), operator]));
    return {
      json: { zone, shifts },
      text: shifts.length === 0 ? 'no shifts: the scheduler is not initialized, or nobody is active' : text,
    };
  },
});
