import { defineCommand } from '../frame/define-command.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

export const remove = defineCommand({
  name: 'horae ring remove',
  about: 'Remove a job: what is not fired yet is withdrawn, what runs goes on, its history stays',
  args: {
    id: { type: 'positional', description: 'The number of the job', required: true },
    ...ringArguments,
  },
  examples: [{ line: 'horae ring remove 3 --url http://127.0.0.1:7070', does: 'job 3' }],
  async run(args) {
    const id = idOf('<id>', args.id);
    await withRingClient(args, (client) => client.remove(id));
    return { json: { removed: id }, text: `removed job ${id}` };
  },
});
