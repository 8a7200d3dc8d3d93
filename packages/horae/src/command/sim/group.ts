import { defineGroup } from '../frame/define-command.js';

export const simGroup = defineGroup({
  name: 'horae sim',
  about: 'Simulate actions with locks, interrupts and resources',
  examples: [{ line: 'horae sim run storm.yaml --gantt storm.svg', does: 'simulate a scenario and draw it' }],
  commands: {
    run: async () => (await import('./run.js')).run,
    sweep: async () => (await import('./sweep.js')).sweepCommand,
  },
});
