import type { BlockStrategy, JobInput, MisfireStrategy, RetryPolicy, RouteStrategy, Schedule } from '@horae/time-ring';
import { blockStrategies, misfireStrategies, routeStrategies } from '@horae/time-ring/strategies';
import type { ArgsDef, ParsedArgs } from 'citty';
import { durationMs } from '../arguments/duration-text.js';
import { wholeNumber } from '../arguments/number-argument.js';
import { UsageError } from '../frame/command-errors.js';
import { jsonArgument } from './json-argument.js';
import { idOf } from './with-ring-client.js';

/** Options of a job's fields, all but its name and its handler. */
export const jobArguments = {
  cron: {
    type: 'string',
    alias: 'c',
    description: 'When: a Quartz expression, seconds first',
    valueHint: 'expression',
  },
  posix: { type: 'string', description: 'When: a POSIX expression', valueHint: 'expression' },
  every: { type: 'string', alias: 'e', description: 'When: at a fixed rate, 1s or more', valueHint: 'duration' },
  zone: { type: 'string', alias: 'z', description: 'The zone of the expression', valueHint: 'name' },
  params: { type: 'string', alias: 'p', description: 'JSON for the handler', valueHint: 'json' },
  misfire: { type: 'enum', options: [...misfireStrategies], description: 'What to do about missed times' },
  route: { type: 'enum', options: [...routeStrategies], description: 'Which executor' },
  block: { type: 'enum', options: [...blockStrategies], description: 'What to do while it still runs' },
  concurrency: { type: 'string', description: 'Runs at once with --block CONCURRENT', valueHint: 'number' },
  timeout: { type: 'string', alias: 't', description: 'A run over it is ended and has failed', valueHint: 'duration' },
  retries: { type: 'string', alias: 'r', description: 'How often a failed run is tried again', valueHint: 'number' },
  retry: {
    type: 'string',
    description: 'When: {"kind":"exponential"} with firstMs, factor, maxMs, jitter, or {"kind":"fixed","delayMs":…}',
    valueHint: 'json',
  },
  wait: {
    type: 'string',
    description: 'How long a run waits for an executor, 5m by default; "forever" for no limit',
    valueHint: 'duration',
  },
  priority: { type: 'string', description: 'Higher goes first within a second', valueHint: 'number' },
  children: { type: 'string', description: 'Jobs to trigger after a success', valueHint: '1,2' },
  group: { type: 'string', alias: 'g', description: 'The executor group, "default" by default', valueHint: 'name' },
  key: { type: 'string', alias: 'k', description: 'A name of its own that programs know it by', valueHint: 'text' },
  description: { type: 'string', description: 'What it is for', valueHint: 'text' },
  owner: { type: 'string', description: 'Who answers for it', valueHint: 'text' },
  label: { type: 'string', alias: 'l', description: 'A label; may be given several times', valueHint: 'key=value' },
} as const satisfies ArgsDef;

/** The fields of a job that options give. `given` are the words as they were typed, for options that come several times. */
export function jobFields(args: ParsedArgs<typeof jobArguments>, given: readonly string[]): Partial<JobInput> {
  return defined({
    schedule: scheduleOf(args),
    params: jsonArgument('--params', args.params),
    misfire: args.misfire as MisfireStrategy | undefined,
    route: args.route as RouteStrategy | undefined,
    block: args.block as BlockStrategy | undefined,
    concurrency: numberOf('--concurrency', args.concurrency, 1),
    timeoutMs: args.timeout === undefined ? undefined : durationOf('--timeout', args.timeout),
    retries: numberOf('--retries', args.retries, 0),
    retry: jsonArgument('--retry', args.retry) as RetryPolicy | undefined,
    waitMs: args.wait === undefined ? undefined : args.wait === 'forever' ? null : durationOf('--wait', args.wait),
    priority: numberOf('--priority', args.priority, -1_000_000),
    children: args.children?.split(',').map((id) => idOf('--children', id.trim())),
    executorGroup: args.group,
    key: args.key,
    description: args.description,
    owner: args.owner,
    labels: args.label === undefined ? undefined : labelsOf(given),
  });
}

/** Every `--label key=value`, `--label=key=value` and `-l key=value`. */
function labelsOf(given: readonly string[]): Record<string, string> {
  const texts = given.flatMap((word, i) => {
    if (word === '--label' || word === '-l') return [given[i + 1] ?? ''];
    return /^(?:--label=|-l)./.test(word) ? [word.replace(/^(?:--label=|-l=?)/, '')] : [];
  });
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1)
        throw new UsageError(`--label must be key=value, got "${text}"`, { hint: 'for example --label team=ops' });
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function scheduleOf(args: ParsedArgs<typeof jobArguments>): Schedule | undefined {
  const times = [args.cron, args.posix, args.every].filter((value) => value !== undefined);
  if (times.length > 1) {
    throw new UsageError('one of --cron, --posix and --every says when', { hint: 'leave the others out' });
  }
  if (args.every !== undefined) return { kind: 'fix-rate', everyMs: durationOf('--every', args.every) };
  const expression = args.cron ?? args.posix;
  if (expression === undefined) return undefined;
  return {
    kind: 'cron',
    expression,
    dialect: args.cron === undefined ? 'posix' : 'quartz',
    ...defined({ zone: args.zone }),
  };
}

function durationOf(option: string, text: string): number {
  const ms = durationMs(/^\d+$/.test(text) ? Number(text) : text);
  if (ms !== null) return ms;
  throw new UsageError(`${option} must be a duration, got "${text}"`, { hint: `for example ${option} 30s` });
}

function numberOf(option: string, text: string | undefined, least: number): number | undefined {
  return text === undefined ? undefined : wholeNumber(option, text, { fallback: 1, least, most: 1_000_000 });
}

/** The fields that have a value. */
function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
