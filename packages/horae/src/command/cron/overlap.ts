import { resolveZone } from '@horae/clock-store';
import { type CronDialect, overlap as overlapOf } from '@horae/cron-grammar';
import { instantOf } from '../arguments/instant-argument.js';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { cronArguments, readExpression, zoneArgument } from './cron-arguments.js';
import { calendarsOf, exceptArgument } from './except-argument.js';

const YEAR_MS = 366 * 86_400_000;

export const overlap = defineCommand({
  name: 'horae cron overlap',
  about: 'How often two expressions fire at the same instant, and when first',
  args: {
    expression: { ...cronArguments.expression, description: 'A cron expression in quotes' },
    other: { type: 'positional', description: 'The other one', required: true },
    dialect: cronArguments.dialect,
    ...zoneArgument,
    from: {
      type: 'string',
      alias: 'f',
      description: 'The beginning of the window, now by default',
      valueHint: 'instant',
    },
    to: { type: 'string', alias: 't', description: 'Its end, 366 days later by default', valueHint: 'instant' },
    except: exceptArgument,
  },
  examples: [
    { line: 'horae cron overlap "0 3 * * *" "0 3 * * 0"', does: 'does the weekly backup meet the nightly one?' },
    {
      line: 'horae cron overlap "0 0 13 * *" "0 0 * * 5" --from 2026-01-01 --to 2030-01-01 --zone UTC',
      does: 'Fridays the 13th',
    },
  ],
  async run(args, { clock }) {
    const zone = resolveZone(args.zone);
    const from = await instantOf('--from', args.from, { clock, zone });
    const to = args.to === undefined ? from + YEAR_MS : await instantOf('--to', args.to, { clock, zone });
    if (to <= from) {
      throw new CommandInputError('--to must be after --from', { hint: 'swap them, or leave --to out', from, to });
    }
    const dialect = args.dialect as CronDialect;
    const [a, b] = [readExpression(args.expression, dialect), readExpression(args.other, dialect)];
    const { count, first } = overlapOf(a, b, { from, to, zone, except: await calendarsOf(args.except) });
    const local = localTimeIn(zone);
    const window = `from ${local(from)} to ${local(to)}`;
    const times = count === 1 ? 'once' : `${count} times`;
    return {
      json: {
        expression: a.text,
        other: b.text,
        zone,
        from,
        to,
        count,
        first,
        firstLocal: first === null ? null : local(first),
      },
      text: first === null ? `never together ${window}` : `together ${times} ${window}, first at ${local(first)}`,
    };
  },
});
