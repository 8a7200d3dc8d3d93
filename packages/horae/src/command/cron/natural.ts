import { parseNatural } from '@horae/cron-grammar';
import { defineCommand } from '../frame/define-command.js';

export const natural = defineCommand({
  name: 'horae cron natural',
  about: 'The expression that a sentence names, and what was understood',
  args: {
    text: { type: 'positional', description: 'When, in words and in quotes', required: true },
    locale: { type: 'enum', options: ['en', 'de'], default: 'en', description: 'The language of the words' },
  },
  examples: [
    { line: 'horae cron natural "every weekday at 9"', does: '0 9 * * 1-5' },
    { line: 'horae cron natural "jeden zweiten Tag um 6:30" --locale de', does: 'the same in German words' },
  ],
  async run(args) {
    const { text, reading } = parseNatural(args.text, { locale: args.locale as 'en' | 'de' });
    return { json: { expression: text, reading }, text: `${text}\n${reading}` };
  },
});
