import { defineCommand } from '../define-command.js';
import { textTable } from '../text-table.js';
import { atDesk, deskArguments } from './at-desk.js';

export const executors = defineCommand({
  name: 'horae ring executors',
  about: 'Who runs jobs and is alive',
  args: {
    ...deskArguments,
    group: { type: 'string', alias: 'g', description: 'Only this group', valueHint: 'name' },
  },
  examples: [
    { line: 'horae ring executors --url http://127.0.0.1:7070', does: "a node's own, and those on other machines" },
  ],
  async run(args) {
    const found = await atDesk(args, (desk) => desk.executors(args.group));
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
