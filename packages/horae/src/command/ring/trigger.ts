import { defineCommand } from '../define-command.js';
import { atDesk, deskArguments, idOf } from './at-desk.js';
import { jsonArgument } from './json-argument.js';

export const trigger = defineCommand({
  name: 'horae ring trigger',
  about: 'Run a job once, now, whatever its state and schedule',
  args: {
    id: { type: 'positional', description: 'The number of the job', required: true },
    ...deskArguments,
    params: {
      type: 'string',
      alias: 'p',
      description: "JSON for this run instead of the job's own",
      valueHint: 'json',
    },
    address: { type: 'string', description: 'Run it on this executor', valueHint: 'address' },
  },
  examples: [
    {
      line: `horae ring trigger 3 --url http://127.0.0.1:7070 --params '{"full":true}'`,
      does: 'with other parameters',
    },
  ],
  notes: 'With --database only executors on other machines can be reached; ask the node with the handlers by --url.',
  async run(args) {
    const id = idOf('<id>', args.id);
    const params = jsonArgument('--params', args.params);
    const run = await atDesk(args, (desk) =>
      desk.trigger(id, {
        ...(params === undefined ? {} : { params }),
        ...(args.address === undefined ? {} : { address: args.address }),
      }),
    );
    return {
      json: run,
      text: `run ${run.id} of job ${id} is ${run.state}; "horae ring log ${run.id}" shows what it says`,
    };
  },
});
