import { defineGroup } from '../frame/define-command.js';

export const tasksGroup = defineGroup({
  name: 'horae tasks',
  about: 'Run tasks by cron, durably: retried when they fail, caught up after a restart',
  examples: [
    { line: 'horae tasks run tasks.yaml', does: 'run the tasks until told to stop' },
    { line: 'horae tasks inspect tasks.yaml', does: 'what is due when, what failed' },
    { line: 'horae tasks explain tasks.yaml digest', does: 'why did it (not) run?' },
    { line: 'horae tasks history tasks.yaml --task digest', does: 'what happened' },
  ],
  commands: {
    run: async () => (await import('./run.js')).run,
    inspect: async () => (await import('./inspect.js')).inspect,
    explain: async () => (await import('./explain.js')).explain,
    history: async () => (await import('./history.js')).history,
  },
});
