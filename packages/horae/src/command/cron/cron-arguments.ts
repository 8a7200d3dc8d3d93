import { type CronDialect, type CronExpression, InvalidCronExpressionError, tryParseCron } from '@horae/cron-grammar';
import type { ArgsDef } from 'citty';
import { readInput } from '../documents/read-input.js';
import { CommandInputError } from '../frame/command-errors.js';

/** The arguments of every command about an expression. */
export const cronArguments = {
  expression: {
    type: 'positional',
    description: 'A cron expression in quotes, or - for standard input',
    required: true,
  },
  dialect: {
    type: 'enum',
    options: ['posix', 'vixie', 'quartz'],
    default: 'posix',
    description: 'The language it is written in',
  },
} as const satisfies ArgsDef;

/** The arguments of commands about time. */
export const zoneArgument = {
  zone: { type: 'string', alias: 'z', description: "IANA time zone, the machine's by default", valueHint: 'name' },
} as const satisfies ArgsDef;

/** The expression that was typed or piped. */
export async function expressionOf(args: { expression: string; dialect: string }): Promise<CronExpression> {
  return readExpression(await expressionText(args.expression), args.dialect as CronDialect);
}

/** The expression of a text. The hint of its error names the dialect that reads the text as it is, where one does. */
export function readExpression(text: string, dialect: CronDialect): CronExpression {
  const parsed = tryParseCron(text, { dialect });
  if (parsed.ok) return parsed.value;
  const other = cronArguments.dialect.options.find(
    (name) => name !== dialect && tryParseCron(text, { dialect: name }).ok,
  );
  if (other === undefined) throw parsed.error;
  const { suggestion } = parsed.error.details;
  const rewrite = suggestion === undefined ? '' : `did you mean "${suggestion}"? `;
  const fault = { ...parsed.error.details, hint: `${rewrite}--dialect ${other} reads it as it is` };
  throw new InvalidCronExpressionError(fault, { cause: parsed.error.cause });
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
