import { hashed } from '@horae/cron-grammar';
import { defineCommand } from '../frame/define-command.js';

export const hash = defineCommand({
  name: 'horae cron hash',
  about: "Jenkins' H resolved: a time that depends on a name, so that jobs do not start together",
  args: {
    expression: { type: 'positional', description: 'Five fields with H in quotes', required: true },
    seed: {
      type: 'string',
      description: 'What to hash, such as the name of the job',
      required: true,
      valueHint: 'text',
    },
  },
  examples: [{ line: 'horae cron hash "H H * * *" --seed backup', does: 'the same time for ever for this name' }],
  async run(args) {
    const expression = hashed(args.expression, args.seed);
    return { json: { expression, seed: args.seed }, text: expression };
  },
});
