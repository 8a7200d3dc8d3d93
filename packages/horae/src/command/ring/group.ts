import { defineGroup } from '../define-command.js';

export const ringGroup = defineGroup({
  name: 'horae ring',
  about: 'A second-precise job scheduler for one machine or many',
  examples: [
    {
      line: 'horae ring serve ring.yaml --port 7070',
      does: 'a node: it schedules, runs its handlers, and answers the admin API',
    },
    { line: 'horae ring list --url http://127.0.0.1:7070', does: 'the jobs, asked of a node' },
    { line: 'horae ring runs --database sqlite:./ring.db --state failed', does: 'what failed, asked of the database' },
    { line: 'horae ring trigger 3 --url http://127.0.0.1:7070', does: 'run a job now' },
  ],
  commands: {
    serve: async () => (await import('./serve.js')).serve,
    add: async () => (await import('./add.js')).add,
    list: async () => (await import('./list.js')).list,
    start: async () => (await import('./start-and-stop.js')).start,
    stop: async () => (await import('./start-and-stop.js')).stop,
    trigger: async () => (await import('./trigger.js')).trigger,
    runs: async () => (await import('./runs.js')).runs,
    executors: async () => (await import('./executors.js')).executors,
    log: async () => (await import('./log.js')).log,
  },
});
