import { resolveZone } from '@horae/clock-store';
import { instantOf } from '../arguments/instant-argument.js';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { explainRecord } from './explain-record.js';
import { loadRecords } from './stored-tasks.js';
import { configNotes, readTasksConfig, storeArguments } from './tasks-config.js';

export const explain = defineCommand({
  name: 'horae tasks explain',
  about: 'Why a task would, or would not, run at an instant',
  args: {
    config: { type: 'positional', description: 'The file of tasks', required: true },
    task: { type: 'positional', description: 'The name of the task', required: true },
    ...storeArguments,
    at: { type: 'string', alias: 'a', description: 'The instant, now by default', valueHint: 'instant' },
  },
  examples: [{ line: 'horae tasks explain tasks.yaml digest --at 2026-03-29T09:00', does: 'will it run then?' }],
  notes: configNotes,
  async run(args, { clock }) {
    const config = await readTasksConfig(args.config, args);
    const zone = resolveZone(config.zone);
    const at = await instantOf('--at', args.at, { clock, zone });
    const task = config.tasks.find(({ name }) => name === args.task);
    if (task === undefined) {
      const names = config.tasks.map(({ name }) => name).join(', ');
      throw new CommandInputError(`${args.config} has no task "${args.task}"`, {
        hint: `there are ${names}`,
        task: args.task,
      });
    }
    const { records } = await loadRecords(config.database, config.namespace);
    const record = records.get(task.name);
    if (record === undefined) {
      const text = `${task.name} is not registered yet: start the daemon with "horae tasks run ${args.config}".`;
      return { json: { taskName: task.name, at, wouldRun: false, registered: false, sentence: text }, text };
    }
    const explanation = await explainRecord(record, task, at, { zone, dialect: config.dialect });
    return { json: { ...explanation, registered: true }, text: explanation.sentence };
  },
});
