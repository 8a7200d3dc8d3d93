import { resolveZone } from '@horae/clock-store';
import { formatCron, formatCronError, type LintOptions, lintCron, parseCrontab } from '@horae/cron-grammar';
import { readInput } from '../documents/read-input.js';
import { UsageError } from '../frame/command-errors.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { cronArguments, expressionOf, zoneArgument } from './cron-arguments.js';

export const check = defineCommand({
  name: 'horae cron check',
  about: 'Whether an expression, or a whole crontab, is right, and what about it might surprise',
  args: {
    expression: { ...cronArguments.expression, required: false },
    dialect: {
      type: 'enum',
      options: cronArguments.dialect.options,
      description: 'The language it is written in: posix, or vixie for a crontab, when left out',
    },
    ...zoneArgument,
    crontab: {
      type: 'string',
      alias: 'c',
      description: 'Check a crontab file instead, - for standard input',
      valueHint: 'file',
    },
  },
  examples: [
    { line: 'horae cron check "*/15 * * * *"', does: 'what is wrong, where, and what to write instead' },
    { line: 'horae cron check "30 2 * * *" --zone Europe/Berlin', does: 'surprises at the clock changes of a zone' },
    { line: 'crontab -l | horae cron check --crontab -', does: 'every line of your crontab' },
  ],
  notes: 'Exit code 0 when everything parses, 1 when something does not. Warnings do not change it.',
  async run(args, { clock }) {
    // Without a zone only what holds in every zone is reported.
    const options = args.zone === undefined ? {} : { zone: resolveZone(args.zone), from: clock.now() };
    if (args.crontab !== undefined && args.expression === undefined) {
      return crontabAnswer(await readInput(args.crontab), crontabDialect(args.dialect), options);
    }
    if (args.expression === undefined || args.crontab !== undefined) {
      throw new UsageError('"horae cron check" needs an expression or --crontab, and not both', {
        hint: 'horae cron check "0 9 * * 1-5"',
      });
    }
    const expression = await expressionOf({ expression: args.expression, dialect: args.dialect ?? 'posix' });
    const lints = lintCron(expression, options);
    const lines = [
      `right: ${formatCron(expression)}`,
      ...lints.map(({ severity, message }) => `${severity}: ${message}`),
    ];
    return {
      json: { ok: true, expression: expression.text, canonical: formatCron(expression), lints },
      text: lines.join('\n'),
    };
  },
});

function crontabDialect(dialect: string | undefined): 'posix' | 'vixie' {
  if (dialect !== 'quartz') return dialect === 'posix' ? 'posix' : 'vixie';
  throw new UsageError('a crontab has no Quartz expressions', { hint: '--dialect vixie or --dialect posix' });
}

function crontabAnswer(text: string, dialect: 'posix' | 'vixie', options: LintOptions): Answer {
  const entries = parseCrontab(text, { dialect }).map(({ line, expression, command, error }) => ({
    line,
    command,
    expression: expression === null ? null : formatCron(expression),
    error: error === undefined ? null : error.details,
    lints: expression === null ? [] : lintCron(expression, options),
    words: error === undefined ? '' : formatCronError(error),
  }));
  const wrong = entries.filter(({ error }) => error !== null);
  const lines = entries.flatMap(({ line, words, lints }) => [
    ...(words === '' ? [] : [`line ${line}:`, ...words.split('\n').map((row) => `  ${row}`)]),
    ...lints.map(({ severity, message }) => `line ${line}: ${severity}: ${message}`),
  ]);
  return {
    json: { ok: wrong.length === 0, entries: entries.map(({ words: _, ...entry }) => entry) },
    text: [...lines, `${entries.length} entries, ${wrong.length} wrong`].join('\n'),
    exitCode: wrong.length === 0 ? 0 : 1,
  };
}
