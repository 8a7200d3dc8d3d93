import { describeCron, formatCron } from '@horae/cron-grammar';
import { defineCommand } from '../define-command.js';
import { cronArguments, expressionOf } from './cron-arguments.js';

export const describe = defineCommand({
  name: 'horae cron describe',
  about: 'An expression in words',
  args: {
    ...cronArguments,
    locale: { type: 'enum', options: ['en', 'de'], default: 'en', description: 'The language of the words' },
  },
  examples: [
    { line: 'horae cron describe "0 9 * * 1-5"', does: 'At 09:00 from Monday to Friday' },
    { line: 'horae cron describe "0 9 * * 1-5" --locale de', does: 'the same in German' },
  ],
  async run(args) {
    const expression = await expressionOf(args);
    const words = describeCron(expression, { locale: args.locale as 'en' | 'de' });
    return { json: { expression: expression.text, canonical: formatCron(expression), words }, text: words };
  },
});
