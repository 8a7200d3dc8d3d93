import { type CronLocale, describeCron, formatCron } from '@horae/cron-grammar';
import { defineCommand } from '../frame/define-command.js';
import { cronArguments, expressionOf } from './cron-arguments.js';

export const describe = defineCommand({
  name: 'horae cron describe',
  about: 'An expression in words',
  args: {
    ...cronArguments,
    locale: {
      type: 'enum',
      options: ['en', 'de', 'fr', 'es', 'zh'],
      default: 'en',
      description: 'The language of the words',
    },
    hours: { type: 'enum', options: ['24', '12'], default: '24', description: 'The hours of the clock' },
  },
  examples: [
    { line: 'horae cron describe "0 9 * * 1-5"', does: 'At 09:00 from Monday to Friday' },
    { line: 'horae cron describe "0 9 * * 1-5" --locale de', does: 'the same in German' },
    { line: 'horae cron describe "*/15 9-17 * * mon-fri" --dialect vixie', does: 'a line of a crontab' },
  ],
  async run(args) {
    const expression = await expressionOf(args);
    const words = describeCron(expression, {
      locale: args.locale as CronLocale,
      hours: args.hours === '12' ? 12 : 24,
    });
    return { json: { expression: expression.text, canonical: formatCron(expression), words }, text: words };
  },
});
