import { neverFires, tryParseCron } from '@horae/cron-grammar';
import { z } from 'zod';
import { readConfig } from '../config-file.js';
import { durationSchema } from '../duration-text.js';
import { checkWork, workFields } from '../work.js';
import { zoneSchema } from '../zone-schema.js';

const cron = z.string().superRefine((text, context) => {
  const parsed = tryParseCron(text);
  if (parsed.ok && !neverFires(parsed.value)) return;
  const why = parsed.ok ? 'that date never comes' : parsed.error.details.reason;
  const suggestion = parsed.ok ? undefined : parsed.error.details.suggestion;
  const meant = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
  context.addIssue({ code: 'custom', message: `a cron expression (${why}${meant})` });
});

const task = z
  .strictObject({ name: z.string().min(1), cron, retry: durationSchema.default(60_000), ...workFields })
  .superRefine(checkWork);

const schema = z.strictObject({
  database: z.string().min(1).default('sqlite:./horae.db'),
  namespace: z.string().min(1).max(190).default('default'),
  zone: zoneSchema.optional(),
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
});

/** What a file of tasks says, with defaults filled in. */
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
  zone: Europe/Berlin            # the machine's zone by default
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
`;

/** What every command about tasks takes besides the file. */
export const storeArguments = {
  database: {
    type: 'string',
    alias: 'd',
    description: "Database URL, instead of the configuration's",
    valueHint: 'url',
  },
  namespace: { type: 'string', description: 'Whose tasks, when several daemons share a database', valueHint: 'name' },
} as const;
