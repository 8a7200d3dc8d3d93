import { defineCommand } from '../frame/define-command.js';
import { textTable } from '../output/text-table.js';
import { ringArguments, withRingClient } from './with-ring-client.js';

export const executors = defineCommand({
  name: 'horae ring executors',
  about: 'Who runs jobs and is alive',
  args: {
    ...ringArguments,
    group: { type: 'string', alias: 'g', description: 'Only this group', valueHint: 'name' },
  },
  examples: [
    { line: 'horae ring executors --url http://127.0.0.1:7070', does: "a node's own, and those on other machines" },
  ],
  async run(args) {
    const found = await withRingClient(args, (client) => client.executors(args.group), { isReading: true });
    const rows = found.map(({ group, address, kind, beatAt }) => [
      group,
      address,
      kind,
      new Date(beatAt).toISOString(),
    ]);
    const text = found.length === 0 ? 'no executors' : textTable([['GROUP', 'ADDRESS', 'KIND', 'LAST BEAT'], ...rows]);
    return { json: { executors: found }, text };
  },
});
