import { defineCommand } from '../frame/define-command.js';
import { jobAnswer } from './show-job.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

const args = {
  id: { type: 'positional', description: 'The number of the job', required: true },
  ...ringArguments,
} as const;

export const start = defineCommand({
  name: 'horae ring start',
  about: 'Start a job: it runs by its schedule from now on',
  args,
  examples: [{ line: 'horae ring start 3 --url http://127.0.0.1:7070', does: 'job 3' }],
  async run(given) {
    const id = idOf('<id>', given.id);
    return jobAnswer(await withRingClient(given, (client) => client.start(id)), 'started');
  },
});

export const stop = defineCommand({
  name: 'horae ring stop',
  about: 'Stop a job: what is not fired yet is withdrawn, what runs goes on',
  args,
  examples: [{ line: 'horae ring stop 3 --database sqlite:./ring.db', does: 'job 3, with or without a running node' }],
  async run(given) {
    const id = idOf('<id>', given.id);
    return jobAnswer(await withRingClient(given, (client) => client.stop(id)), 'stopped');
  },
});
