import { defineCommand } from '../frame/define-command.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

export const retry = defineCommand({
  name: 'horae ring retry',
  about: 'Attempt a run again that failed, was killed or was skipped',
  args: {
    run: { type: 'positional', description: 'The number of the run', required: true },
    ...ringArguments,
  },
  examples: [{ line: 'horae ring retry 120 --url http://127.0.0.1:7070', does: 'the next attempt of the same fire' }],
  async run(args) {
    const id = idOf('<run>', args.run);
    const run = await withRingClient(args, (client) => client.retry(id));
    return { json: run, text: `run ${run.id} is attempt ${run.attempt} of run ${id}` };
  },
});
