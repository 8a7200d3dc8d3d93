import { defineCommand } from '../frame/define-command.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

export const kill = defineCommand({
  name: 'horae ring kill',
  about: 'End a run, wherever it runs or waits',
  args: {
    run: { type: 'positional', description: 'The number of the run', required: true },
    ...ringArguments,
  },
  examples: [{ line: 'horae ring kill 120 --url http://127.0.0.1:7070', does: 'exit code 1 when it was over already' }],
  async run(args) {
    const id = idOf('<run>', args.run);
    const killed = await withRingClient(args, (client) => client.kill(id));
    const text = killed ? `killed run ${id}` : `run ${id} was over already`;
    return { json: { run: id, killed }, text, exitCode: killed ? 0 : 1 };
  },
});
