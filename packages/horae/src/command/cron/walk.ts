import { resolveZone } from '@horae/clock-store';
import { CronCalculationError, occurrences, tryNextOccurrence, tryPreviousOccurrence } from '@horae/cron-grammar';
import { instantOf } from '../arguments/instant-argument.js';
import { wholeNumber } from '../arguments/number-argument.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Answer, defineCommand, type Example, type HoraeCommand } from '../frame/define-command.js';
import { cronArguments, expressionOf, zoneArgument } from './cron-arguments.js';
import { calendarsOf, exceptArgument } from './except-argument.js';
import { occurrenceAnswer } from './occurrence-list.js';

const walkArguments = {
  ...cronArguments,
  ...zoneArgument,
  count: { type: 'string', alias: 'n', description: 'How many, 5 by default', valueHint: 'number' },
  except: exceptArgument,
  from: { type: 'string', alias: 'f', description: 'The instant to count from, now by default', valueHint: 'instant' },
} as const;

interface Walk {
  readonly name: string;
  readonly about: string;
  readonly direction: 'forward' | 'backward';
  readonly examples: readonly Example[];
}

/** `cron next` and `cron prev` are one walk in two directions, both strictly beyond the instant. */
export function walkCommand({ name, about, direction, examples }: Walk): HoraeCommand {
  return defineCommand({
    name,
    about,
    args: walkArguments,
    examples,
    run: (args, around) => walk(args, direction, around),
  });
}

interface WalkArguments {
  readonly expression: string;
  readonly dialect: string;
  readonly zone?: string | undefined;
  readonly count?: string | undefined;
  readonly from?: string | undefined;
  readonly except?: string | undefined;
}

async function walk(args: WalkArguments, direction: Walk['direction'], around: CommandContext): Promise<Answer> {
  const limit = wholeNumber('--count', args.count, { fallback: 5, least: 1, most: 100_000 });
  const zone = resolveZone(args.zone);
  const from = await instantOf('--from', args.from, { clock: around.clock, zone });
  const expression = await expressionOf(args);
  const except = await calendarsOf(args.except);
  const ask = direction === 'forward' ? tryNextOccurrence : tryPreviousOccurrence;
  if (ask(expression, from, zone, { except }) === null) {
    const word = direction === 'forward' ? 'next' : 'previous';
    const cause = new Error(except.length === 0 ? 'no date satisfies it' : 'the calendars leave nothing');
    const message = `"${expression.text}" has no ${word} occurrence within 400 years`;
    throw new CronCalculationError(message, {
      expression: expression.text,
      currentTime: new Date(from).toISOString(),
      cause,
    });
  }
  // The walk includes its first end forward and excludes it backward; here both are strict.
  const start = direction === 'forward' ? from + 1 : from;
  const list = [...occurrences(expression, { from: start, zone, direction, limit, except })];
  return occurrenceAnswer(list, { expression, zone, from, now: around.clock.now(), isTerminal: around.isTerminal });
}
