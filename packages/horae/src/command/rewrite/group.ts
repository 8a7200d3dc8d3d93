import { defineGroup } from '../frame/define-command.js';

export const rewriteGroup = defineGroup({
  name: 'horae rewrite',
  about: 'Decide which changes to shared data may happen together',
  examples: [
    { line: 'horae rewrite plan rewrites.json', does: 'who is admitted, who is refused by whom, and in which waves' },
  ],
  commands: { plan: async () => (await import('./plan.js')).plan },
});
