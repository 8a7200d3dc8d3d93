import { defineGroup } from '../frame/define-command.js';

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
    update: async () => (await import('./update.js')).update,
    remove: async () => (await import('./remove.js')).remove,
    list: async () => (await import('./list.js')).list,
    start: async () => (await import('./start-and-stop.js')).start,
    stop: async () => (await import('./start-and-stop.js')).stop,
    trigger: async () => (await import('./trigger.js')).trigger,
    runs: async () => (await import('./runs.js')).runs,
    retry: async () => (await import('./retry.js')).retry,
    pause: async () => (await import('./pause-and-resume.js')).pause,
    resume: async () => (await import('./pause-and-resume.js')).resume,
    kill: async () => (await import('./kill.js')).kill,
    import: async () => (await import('./export-and-import.js')).importFile,
    export: async () => (await import('./export-and-import.js')).exportJobs,
    executors: async () => (await import('./executors.js')).executors,
    log: async () => (await import('./log.js')).log,
    flow: async () => (await import('./flow.js')).flowGroup,
  },
});
