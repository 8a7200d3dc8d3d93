import { defineGroup, type HoraeCommand } from './frame/define-command.js';

/** Everything that `horae` can do. Each branch is loaded when it is taken. */
export const root: HoraeCommand = defineGroup({
  name: 'horae',
  about: 'Schedulers for TypeScript: cron, durable tasks, the time ring, simulation, rewrites and shifts',
  examples: [
    { line: 'horae cron next "0 9 * * 1-5" --zone Europe/Berlin', does: 'when does this run next?' },
    { line: 'horae tasks run tasks.yaml', does: 'run the tasks of a file, durably' },
    { line: 'horae ring serve ring.yaml --port 7070', does: 'a node of a distributed scheduler with its admin API' },
    { line: 'horae sim run storm.yaml --gantt storm.svg', does: 'simulate a scenario and draw it' },
    { line: 'horae completion bash >> ~/.bashrc', does: 'complete commands and options with the tab key' },
  ],
  commands: {
    cron: async () => (await import('./cron/group.js')).cronGroup,
    tasks: async () => (await import('./tasks/group.js')).tasksGroup,
    ring: async () => (await import('./ring/group.js')).ringGroup,
    sim: async () => (await import('./sim/group.js')).simGroup,
    rewrite: async () => (await import('./rewrite/group.js')).rewriteGroup,
    shift: async () => (await import('./shift/group.js')).shiftGroup,
    demo: async () => (await import('./demo/demo.js')).demo,
    completion: async () => (await import('./completion/completion.js')).completionOf(root),
  },
});
