import { type CronDialect, neverFires, tryParseCron } from '@horae/cron-grammar';
import { z } from 'zod';
import { durationSchema } from '../arguments/duration-schema.js';
import { zoneSchema } from '../arguments/zone-schema.js';
import { checkWork, workFields } from '../daemon/work.js';
import { readConfig } from '../documents/config-file.js';
import { dialectSchema, settingFields } from './task-settings-fields.js';

/** Why an expression cannot be used in a dialect, with what could be written instead; undefined when it can. */
function cronProblem(text: string, dialect: CronDialect): string | undefined {
  const parsed = tryParseCron(text, { dialect });
  if (parsed.ok) return neverFires(parsed.value) ? 'that date never comes' : undefined;
  const { reason, suggestion } = parsed.error.details;
  const meant = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
  const other = dialectSchema.options.find((each) => each !== dialect && tryParseCron(text, { dialect: each }).ok);
  return `${reason}${meant}${other === undefined ? '' : `; "dialect: ${other}" reads it as it is`}`;
}

const task = z
  .strictObject({
    name: z.string().min(1),
    cron: z.string(),
    retry: durationSchema.default(60_000),
    ...settingFields,
    ...workFields,
  })
  .superRefine(checkWork);

const schema = z
  .strictObject({
    database: z.string().min(1).default('sqlite:./horae.db'),
    namespace: z.string().min(1).max(190).default('default'),
    instances: z.enum(['one', 'standby']).default('one'),
    zone: zoneSchema.optional(),
    dialect: dialectSchema.default('posix'),
    concurrency: z.int().min(1).optional(),
    timeout: durationSchema.optional(),
    stopTimeout: durationSchema.default(30_000),
    historyLimit: z.int().min(0).max(10_000_000).default(10_000),
    tasks: z.array(task).superRefine((tasks, context) => {
      const seen = new Set<string>();
      for (const [index, { name }] of tasks.entries()) {
        if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'a name of its own' });
        seen.add(name);
      }
    }),
  })
  .superRefine(({ tasks, dialect }, context) => {
    for (const [index, task] of tasks.entries()) {
      const problem = cronProblem(task.cron, task.dialect ?? dialect);
      if (problem === undefined) continue;
      context.addIssue({ code: 'custom', path: ['tasks', index, 'cron'], message: `a cron expression (${problem})` });
    }
  });

/** The content of a file of tasks, with defaults filled in. */
export type TasksConfig = z.output<typeof schema>;

/** The checked configuration; options of the command line come first. */
export async function readTasksConfig(
  path: string,
  overrides: { readonly database?: string | undefined; readonly namespace?: string | undefined },
): Promise<TasksConfig> {
  const config = await readConfig(path, schema);
  return {
    ...config,
    database: overrides.database ?? config.database,
    namespace: overrides.namespace ?? config.namespace,
  };
}

/** Shown by every help of the group. */
export const configNotes = `
CONFIGURATION (YAML, JSON, or a JavaScript or TypeScript module with this as its default export)

  database: sqlite:./horae.db    # postgres://… and mysql://… too; relative to the working directory
  instances: one                 # or standby: a second daemon waits and takes over when the first one stops or dies
  zone: Europe/Berlin            # the machine's zone by default
  dialect: posix                 # vixie: steps and names as in a crontab; quartz: with seconds
  concurrency: 4                 # runs at once, unlimited by default
  timeout: 10m                   # a run over it is ended and counts as failed
  stopTimeout: 30s               # how long a stop waits for what runs
  historyLimit: 10000            # how many events are kept for "horae tasks history"
  tasks:
    - name: digest
      cron: "0 9 * * 1-5"
      run: ./send-digest.sh      # a shell command; HORAE_TASK, HORAE_ATTEMPT, HORAE_REASON and HORAE_DUE_AT tell it more
      retry: 5m                  # the delay after a failure, 1m by default
    - name: clean-up
      cron: "30 3 * * *"
      module: ./clean-up.js      # its default export, or "export: name"; relative to this file
      env: { LEVEL: deep }
      backoff: { first: 1s, max: 10m, factor: 2 }   # growing delays instead of "retry"
      maxRetries: 5              # then it waits for its next occurrence
      jitter: 30s                # starts up to so much late
      except: [{ dates: ["12-25"], weekdays: [0] }] # days, windows ("22:00-06:00") or cron times on which it does not run
                                 # "zone", "dialect" and "timeout" may stand here as well, for this task alone
`;

/** The arguments of every command about tasks besides the file. */
export const storeArguments = {
  database: {
    type: 'string',
    alias: 'd',
    description: "Database URL, instead of the configuration's",
    valueHint: 'url',
  },
  namespace: { type: 'string', description: 'Whose tasks, when several daemons share a database', valueHint: 'name' },
} as const;
