import { wholeNumber } from '../arguments/number-argument.js';
import { defineCommand } from '../frame/define-command.js';
import { jobTable } from './show-job.js';
import { ringArguments, withRingClient } from './with-ring-client.js';

export const list = defineCommand({
  name: 'horae ring list',
  about: 'The jobs of a ring',
  args: {
    ...ringArguments,
    state: { type: 'enum', options: ['RUNNING', 'STOPPED'], description: 'Only jobs in this state' },
    group: { type: 'string', alias: 'g', description: 'Only jobs of this executor group', valueHint: 'name' },
    count: { type: 'string', alias: 'n', description: 'At most so many, 100 by default', valueHint: 'number' },
    cursor: { type: 'string', description: 'Go on where an earlier list ended', valueHint: 'text' },
  },
  examples: [
    { line: 'horae ring list --url http://127.0.0.1:7070', does: 'asked of a node' },
    {
      line: 'horae ring list --database sqlite:./ring.db --state STOPPED --json',
      does: 'for a program, without a node',
    },
  ],
  async run(args) {
    const limit = wholeNumber('--count', args.count, { fallback: 100, least: 1, most: 1000 });
    const page = await withRingClient(
      args,
      (client) =>
        client.list({
          limit,
          ...(args.state === undefined ? {} : { state: args.state as 'RUNNING' | 'STOPPED' }),
          ...(args.group === undefined ? {} : { executorGroup: args.group }),
          ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
        }),
      { isReading: true },
    );
    const more = page.cursor === null ? '' : `\nmore with --cursor ${page.cursor}`;
    return { json: page, text: page.jobs.length === 0 ? 'no jobs' : `${jobTable(page.jobs)}${more}` };
  },
});
