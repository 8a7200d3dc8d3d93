import type { BlockStrategy, Job, JobInput, MisfireStrategy, RouteStrategy, Schedule } from '@horae/time-ring';
import { UsageError } from '../command-errors.js';
import { defineCommand } from '../define-command.js';
import { durationSchema } from '../duration-text.js';
import { wholeNumber } from '../number-argument.js';
import { atDesk, deskArguments, idOf } from './at-desk.js';
import { jsonArgument } from './json-argument.js';
import { jobAnswer } from './show-job.js';
import { blockStrategies, misfireStrategies, routeStrategies } from './strategies.js';

export const add = defineCommand({
  name: 'horae ring add',
  about: 'Add a job',
  args: {
    name: { type: 'positional', description: 'What to call it', required: true },
    ...deskArguments,
    handler: {
      type: 'string',
      alias: 'H',
      description: 'What it runs, by the name of the handler',
      valueHint: 'name',
      required: true,
    },
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
    timeout: {
      type: 'string',
      alias: 't',
      description: 'A run over it is ended and has failed',
      valueHint: 'duration',
    },
    retries: { type: 'string', alias: 'r', description: 'How often a failed run is tried again', valueHint: 'number' },
    priority: { type: 'string', description: 'Higher goes first within a second', valueHint: 'number' },
    children: { type: 'string', description: 'Jobs to trigger after a success', valueHint: '1,2' },
    group: { type: 'string', alias: 'g', description: 'The executor group, "default" by default', valueHint: 'name' },
    start: { type: 'boolean', alias: 's', description: 'Start it at once' },
  },
  examples: [
    {
      line: 'horae ring add mail --handler mail --cron "0 0 9 ? * MON-FRI" --start --url http://127.0.0.1:7070',
      does: 'working mornings',
    },
    {
      line: 'horae ring add poll --handler poll --every 5s --start --database sqlite:./ring.db',
      does: 'every five seconds',
    },
    {
      line: 'horae ring add report --handler report --url http://127.0.0.1:7070',
      does: 'only by hand, or as the child of another',
    },
  ],
  async run(args) {
    const job: JobInput & { start: boolean } = {
      name: args.name,
      handler: args.handler,
      schedule: scheduleOf(args),
      start: args.start === true,
      ...defined({
        params: jsonArgument('--params', args.params),
        misfire: args.misfire as MisfireStrategy | undefined,
        route: args.route as RouteStrategy | undefined,
        block: args.block as BlockStrategy | undefined,
        concurrency: numberOf('--concurrency', args.concurrency, 1),
        timeoutMs: args.timeout === undefined ? undefined : durationOf('--timeout', args.timeout),
        retries: numberOf('--retries', args.retries, 0),
        priority: numberOf('--priority', args.priority, -1_000_000),
        children: args.children?.split(',').map((id) => idOf('--children', id.trim())),
        executorGroup: args.group,
      }),
    };
    const added: Job = await atDesk(args, (desk) => desk.add(job));
    return jobAnswer(added, 'added');
  },
});

function scheduleOf(args: {
  readonly cron?: string | undefined;
  readonly posix?: string | undefined;
  readonly every?: string | undefined;
  readonly zone?: string | undefined;
}): Schedule {
  const given = [args.cron, args.posix, args.every].filter((value) => value !== undefined);
  if (given.length > 1) {
    throw new UsageError('one of --cron, --posix and --every says when', { hint: 'leave the others out' });
  }
  if (args.every !== undefined) return { kind: 'fix-rate', everyMs: durationOf('--every', args.every) };
  const expression = args.cron ?? args.posix;
  if (expression === undefined) return { kind: 'none' };
  return {
    kind: 'cron',
    expression,
    dialect: args.cron === undefined ? 'posix' : 'quartz',
    ...defined({ zone: args.zone }),
  };
}

function durationOf(option: string, text: string): number {
  const read = durationSchema.safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (read.success) return read.data;
  throw new UsageError(`${option} must be a duration, got "${text}"`, { hint: `for example ${option} 30s` });
}

function numberOf(option: string, text: string | undefined, least: number): number | undefined {
  return text === undefined ? undefined : wholeNumber(option, text, { fallback: 1, least, most: 1_000_000 });
}

/** The fields that have a value. */
function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
