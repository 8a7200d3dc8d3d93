import { UsageError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { jobArguments, jobFields } from './job-arguments.js';
import { jobAnswer } from './show-job.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

export const update = defineCommand({
  name: 'horae ring update',
  about: 'Change a job; what is not given stays',
  args: {
    id: { type: 'positional', description: 'The number of the job', required: true },
    ...ringArguments,
    name: { type: 'string', description: 'What to call it', valueHint: 'text' },
    handler: { type: 'string', alias: 'H', description: 'What it runs, by the name of the handler', valueHint: 'name' },
    ...jobArguments,
  },
  examples: [
    { line: 'horae ring update 3 --every 10s --url http://127.0.0.1:7070', does: 'another schedule, from now on' },
    {
      line: 'horae ring update 3 --label team=ops --wait 2m --database sqlite:./ring.db',
      does: 'its labels and its wait',
    },
  ],
  async run(args, _context, given) {
    const id = idOf('<id>', args.id);
    const change = {
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.handler === undefined ? {} : { handler: args.handler }),
      ...jobFields(args, given),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError('nothing is to be changed', { hint: 'give an option, such as --every 10s' });
    }
    return jobAnswer(await withRingClient(args, (client) => client.update(id, change)), 'updated');
  },
});
