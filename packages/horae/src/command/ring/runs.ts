import type { RunState } from '@horae/time-ring';
import { wholeNumber } from '../arguments/number-argument.js';
import { defineCommand } from '../frame/define-command.js';
import { runTable } from './show-job.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

const states = ['pending', 'queued', 'running', 'succeeded', 'failed', 'killed', 'skipped'];

export const runs = defineCommand({
  name: 'horae ring runs',
  about: 'What ran, runs and will run, latest first',
  args: {
    ...ringArguments,
    job: { type: 'string', alias: 'j', description: 'Only runs of this job', valueHint: 'id' },
    state: { type: 'enum', options: states, description: 'Only runs in this state' },
    count: { type: 'string', alias: 'n', description: 'At most so many, 20 by default', valueHint: 'number' },
    cursor: { type: 'string', description: 'Go on where an earlier list ended', valueHint: 'text' },
  },
  examples: [
    { line: 'horae ring runs --url http://127.0.0.1:7070 --job 3', does: 'of one job' },
    { line: 'horae ring runs --database sqlite:./ring.db --state failed --json', does: 'what failed, for a program' },
  ],
  async run(args) {
    const limit = wholeNumber('--count', args.count, { fallback: 20, least: 1, most: 1000 });
    const jobId = args.job === undefined ? undefined : idOf('--job', args.job);
    const page = await withRingClient(
      args,
      (client) =>
        client.runs({
          limit,
          ...(jobId === undefined ? {} : { jobId }),
          ...(args.state === undefined ? {} : { state: args.state as RunState }),
          ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
        }),
      { isReading: true },
    );
    const more = page.cursor === null ? '' : `\nmore with --cursor ${page.cursor}`;
    return { json: page, text: page.runs.length === 0 ? 'no runs' : `${runTable(page.runs)}${more}` };
  },
});
