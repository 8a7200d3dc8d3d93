import { type CronDialect, type CronExpression, parseCron } from '@horae/cron-grammar';
import type { ArgsDef } from 'citty';
import { CommandInputError } from '../command-errors.js';
import { readInput } from '../read-input.js';

/** What every question about an expression takes. */
export const cronArguments = {
  expression: {
    type: 'positional',
    description: 'A cron expression in quotes, or - for standard input',
    required: true,
  },
  dialect: {
    type: 'enum',
    options: ['posix', 'quartz'],
    default: 'posix',
    description: 'The language it is written in',
  },
} as const satisfies ArgsDef;

/** For questions about time. */
export const zoneArgument = {
  zone: { type: 'string', alias: 'z', description: "IANA time zone, the machine's by default", valueHint: 'name' },
} as const satisfies ArgsDef;

/** The expression that was typed or piped. */
export async function expressionOf(args: { expression: string; dialect: string }): Promise<CronExpression> {
  return parseCron(await expressionText(args.expression), { dialect: args.dialect as CronDialect });
}

/** The one line of standard input when the text is `-`, else the text itself. */
export async function expressionText(text: string): Promise<string> {
  if (text !== '-') return text;
  const lines = (await readInput('-')).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 1) return lines[0]!;
  throw new CommandInputError(`standard input must be one expression, got ${lines.length} lines`, {
    hint: '"horae cron check --crontab -" reads many lines',
  });
}
