import { defineCommand } from '../frame/define-command.js';
import { escapeLine } from '../output/escape-controls.js';
import { ringArguments, withRingClient } from './with-ring-client.js';

const group = { type: 'positional', description: 'The name of the group of executors', required: true } as const;

export const pause = defineCommand({
  name: 'horae ring pause',
  about: 'Let nothing of a group start; what runs goes on',
  args: { group, ...ringArguments },
  examples: [{ line: 'horae ring pause reports --url http://127.0.0.1:7070', does: 'triggered runs wait meanwhile' }],
  async run(args) {
    const paused = await withRingClient(args, (client) => client.pause(args.group));
    return { json: paused, text: `paused group ${escapeLine(paused.name)}` };
  },
});

export const resume = defineCommand({
  name: 'horae ring resume',
  about: 'Let a paused group go on',
  args: { group, ...ringArguments },
  examples: [
    {
      line: 'horae ring resume reports --url http://127.0.0.1:7070',
      does: 'occurrences missed meanwhile are misfires; runs that wait start',
    },
  ],
  async run(args) {
    const resumed = await withRingClient(args, (client) => client.resume(args.group));
    return { json: resumed, text: `resumed group ${escapeLine(resumed.name)}` };
  },
});
