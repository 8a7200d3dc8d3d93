import { defineCommand } from '../frame/define-command.js';
import { jsonArgument } from './json-argument.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

export const trigger = defineCommand({
  name: 'horae ring trigger',
  about: 'Run a job once, now, whatever its state and schedule',
  args: {
    id: { type: 'positional', description: 'The number of the job', required: true },
    ...ringArguments,
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
  notes:
    'With --database a running node takes it: at once on PostgreSQL, within a second elsewhere. It waits when none is running.',
  async run(args) {
    const id = idOf('<id>', args.id);
    const params = jsonArgument('--params', args.params);
    const run = await withRingClient(args, (client) =>
      client.trigger(id, {
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
