import { resolveZone } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { wholeNumber } from '../arguments/number-argument.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { textTable } from '../output/text-table.js';
import { type HistoryEntry, readHistory } from './sql-task-history.js';
import { configNotes, readTasksConfig, storeArguments } from './tasks-config.js';

export const history = defineCommand({
  name: 'horae tasks history',
  about: 'What happened: starts, ends, failures and retries, oldest first',
  args: {
    config: { type: 'positional', description: 'The file of tasks', required: true },
    ...storeArguments,
    task: { type: 'string', alias: 't', description: 'Only this task', valueHint: 'name' },
    count: { type: 'string', alias: 'n', description: 'The latest so many events, 50 by default', valueHint: 'number' },
    all: { type: 'boolean', alias: 'a', description: 'Also what the scheduler itself did' },
  },
  examples: [
    { line: 'horae tasks history tasks.yaml --task digest --count 10', does: 'the latest runs of one task' },
    { line: 'horae tasks history tasks.yaml --json --all', does: 'everything that is kept' },
  ],
  notes: configNotes,
  async run(args) {
    const limit = wholeNumber('--count', args.count, { fallback: 50, least: 1, most: 1_000_000 });
    const { database: url, namespace, zone } = await readTasksConfig(args.config, args);
    const database = await openDatabase(url);
    try {
      const entries = await readHistory(database, { namespace, task: args.task, limit, all: args.all === true });
      return historyAnswer(entries, resolveZone(zone));
    } finally {
      await database.close();
    }
  },
});

function historyAnswer(entries: readonly HistoryEntry[], zone: string): Answer {
  const local = localTimeIn(zone);
  const rows = entries.map(({ at, event, task, facts }) => [
    local(at),
    event,
    task ?? '',
    Object.entries(facts)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' '),
  ]);
  return { json: { zone, events: entries }, text: rows.length === 0 ? 'nothing yet' : textTable(rows) };
}
