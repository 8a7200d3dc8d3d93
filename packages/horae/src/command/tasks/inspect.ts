import { resolveZone } from '@horae/clock-store';
import { parseCron, tryNextOccurrence } from '@horae/cron-grammar';
import type { TaskRecord } from '@horae/declarative-scheduler';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { textTable } from '../output/text-table.js';
import { loadRecords } from './stored-tasks.js';
import { configNotes, readTasksConfig, storeArguments, type TasksConfig } from './tasks-config.js';

export const inspect = defineCommand({
  name: 'horae tasks inspect',
  about: 'What the database knows of the tasks: state, last runs, what is due next, and what a restart would change',
  args: { config: { type: 'positional', description: 'The file of tasks', required: true }, ...storeArguments },
  examples: [
    { line: 'horae tasks inspect tasks.yaml', does: 'while the daemon runs, or not' },
    {
      line: "horae tasks inspect tasks.yaml --json | jq '.tasks[] | select(.lastFailureAt)'",
      does: 'what has ever failed',
    },
  ],
  notes: configNotes,
  async run(args) {
    const config = await readTasksConfig(args.config, args);
    const { records, damaged } = await loadRecords(config.database, config.namespace);
    return inspection(config, records, damaged);
  },
});

type Standing = 'registered' | 'changed in the file' | 'not yet registered' | 'no longer in the file';

function inspection(config: TasksConfig, records: ReadonlyMap<string, TaskRecord>, damaged: number): Answer {
  const zone = resolveZone(config.zone);
  const declared = new Map(config.tasks.map((task) => [task.name, task]));
  const names = [...declared.keys(), ...[...records.keys()].filter((name) => !declared.has(name)).sort()];
  const tasks = names.map((name) => {
    const record = records.get(name);
    const task = declared.get(name);
    const cron = task?.cron ?? record!.cron;
    const standing = standingOf(task, record);
    return {
      name,
      cron,
      standing,
      state: record === undefined ? null : stateOf(record),
      nextDueAt: record === undefined || task === undefined ? null : nextDue(config, task, record.handledUntil, zone),
      paused: record?.paused ?? false,
      pendingRetryUntil: record?.pendingRetryUntil ?? null,
      lastAttemptAt: record?.lastAttemptAt ?? null,
      lastSuccessAt: record?.lastSuccessAt ?? null,
      lastFailureAt: record?.lastFailureAt ?? null,
    };
  });
  const local = localTimeIn(zone);
  const shown = (at: number | null) => (at === null ? '-' : local(at));
  const rows = tasks.map((task) => [
    task.name,
    task.cron,
    task.paused ? 'Paused' : (task.state ?? '-'),
    shown(task.pendingRetryUntil ?? task.nextDueAt),
    shown(task.lastSuccessAt),
    shown(task.lastFailureAt),
    task.standing === 'registered' ? '' : task.standing,
  ]);
  const head = ['TASK', 'CRON', 'STATE', 'NEXT', 'LAST SUCCESS', 'LAST FAILURE', ''];
  const notes = damaged === 0 ? '' : `\n${damaged} damaged records; those tasks count as new`;
  return { json: { zone, damaged, tasks }, text: `${textTable([head, ...rows])}${notes}` };
}

function nextDue(
  config: TasksConfig,
  { cron, dialect = config.dialect, except = [], ...task }: TasksConfig['tasks'][number],
  after: number,
  zone: string,
): number | null {
  return tryNextOccurrence(parseCron(cron, { dialect }), after, task.zone ?? zone, { except });
}

function standingOf(task: TasksConfig['tasks'][number] | undefined, record: TaskRecord | undefined): Standing {
  if (record === undefined) return 'not yet registered';
  if (task === undefined) return 'no longer in the file';
  return task.cron === record.cron && task.retry === record.retryDelayMs ? 'registered' : 'changed in the file';
}

function stateOf(record: TaskRecord): 'Running' | 'AwaitingRetry' | 'AwaitingRun' {
  if (record.runningSchedulerId !== null) return 'Running';
  return record.pendingRetryUntil === null ? 'AwaitingRun' : 'AwaitingRetry';
}
