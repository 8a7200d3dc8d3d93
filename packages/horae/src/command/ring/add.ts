import { defineCommand } from '../frame/define-command.js';
import { jobArguments, jobFields } from './job-arguments.js';
import { jobAnswer } from './show-job.js';
import { ringArguments, withRingClient } from './with-ring-client.js';

export const add = defineCommand({
  name: 'horae ring add',
  about: 'Add a job',
  args: {
    name: { type: 'positional', description: 'What to call it', required: true },
    ...ringArguments,
    handler: {
      type: 'string',
      alias: 'H',
      description: 'What it runs, by the name of the handler',
      valueHint: 'name',
      required: true,
    },
    ...jobArguments,
    start: { type: 'boolean', alias: 's', description: 'Start it at once' },
  },
  examples: [
    {
      line: 'horae ring add mail --handler mail --cron "0 0 9 ? * MON-FRI" --start --url http://127.0.0.1:7070',
      does: 'working mornings',
    },
    {
      line: 'horae ring add poll --handler poll --every 5s --start --database sqlite:./ring.db',
      does: 'every five seconds',
    },
    {
      line: 'horae ring add report --handler report --url http://127.0.0.1:7070',
      does: 'only by hand, or as the child of another',
    },
  ],
  async run(args, _context, given) {
    const job = {
      name: args.name,
      handler: args.handler,
      schedule: { kind: 'none' } as const,
      start: args.start === true,
      ...jobFields(args, given),
    };
    return jobAnswer(await withRingClient(args, (client) => client.add(job)), 'added');
  },
});
