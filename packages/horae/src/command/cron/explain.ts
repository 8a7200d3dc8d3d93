import { resolveZone } from '@horae/clock-store';
import { type Calendar, type CronExpression, explainMatch, type FieldVerdict, matches } from '@horae/cron-grammar';
import { instantOf } from '../arguments/instant-argument.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { textTable } from '../output/text-table.js';
import { cronArguments, expressionOf, zoneArgument } from './cron-arguments.js';
import { calendarsOf, exceptArgument } from './except-argument.js';

export const explain = defineCommand({
  name: 'horae cron explain',
  about: 'Why an expression does, or does not, match an instant: a verdict for each field',
  args: {
    ...cronArguments,
    ...zoneArgument,
    at: { type: 'string', alias: 'a', description: 'The instant, now by default', valueHint: 'instant' },
    except: exceptArgument,
  },
  examples: [
    { line: 'horae cron explain "0 9 13 * 5" --at 2026-03-06T09:00 --zone UTC', does: 'the thirteenth, or a Friday?' },
    {
      line: 'horae cron explain "30 2 * * *" --at 2026-03-29T01:30Z --zone Europe/Berlin',
      does: 'on a day of clock change',
    },
  ],
  async run(args, { clock }) {
    const zone = resolveZone(args.zone);
    const at = await instantOf('--at', args.at, { clock, zone });
    return explanation(await expressionOf(args), at, zone, await calendarsOf(args.except));
  },
});

function explanation(expression: CronExpression, at: number, zone: string, except: readonly Calendar[]): Answer {
  const fields = explainMatch(expression, at, zone);
  const isMatch = matches(expression, at, zone, { except });
  const excluded = !isMatch && matches(expression, at, zone);
  const verdict = isMatch ? 'matches' : excluded ? 'would match, but a calendar excludes' : 'does not match';
  const local = localTimeIn(zone)(at);
  const rows = fields.map((field) => [
    field.matches ? 'yes' : 'no ',
    field.field,
    String(field.actual),
    `of ${listed(field)}`,
    field.note ?? '',
  ]);
  return {
    json: { expression: expression.text, zone, at, local, matches: isMatch, excluded, fields },
    text: `"${expression.text}" ${verdict} ${local} (${zone})\n${textTable(rows)}`,
  };
}

/** The allowed values, runs as ranges. */
function listed({ allowed }: FieldVerdict): string {
  const runs: [number, number][] = [];
  for (const value of allowed) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === value - 1) last[1] = value;
    else runs.push([value, value]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',') || 'none';
}
