import { type Answer, defineCommand } from '../define-command.js';
import type { Surroundings } from '../surroundings.js';
import { atDesk, deskArguments, idOf } from './at-desk.js';
import type { Desk } from './desk.js';

const LOOK_AGAIN_MS = 500;

export const log = defineCommand({
  name: 'horae ring log',
  about: 'What a run said',
  args: {
    run: { type: 'positional', description: 'The number of the run', required: true },
    ...deskArguments,
    follow: { type: 'boolean', alias: 'f', description: 'Go on until the run is over' },
  },
  examples: [
    { line: 'horae ring log 120 --url http://127.0.0.1:7070 --follow', does: 'as it happens' },
    { line: 'horae ring log 120 --database sqlite:./ring.db', does: 'what is written so far' },
  ],
  async run(args, surroundings) {
    const id = idOf('<run>', args.run);
    return atDesk(args, (desk) =>
      readLog(desk, id, { ...surroundings, isFollowing: args.follow === true && args.json !== true }),
    );
  },
});

/** Everything from the first line on. Lines of a followed run are written as they come. */
async function readLog(desk: Desk, id: number, around: Surroundings & { isFollowing: boolean }): Promise<Answer> {
  const lines: string[] = [];
  let fromLine = 0;
  for (;;) {
    const part = await desk.log(id, fromLine);
    if (around.isFollowing) for (const line of part.lines) around.writeLine(line);
    else lines.push(...part.lines);
    const isStuck = part.nextLine <= fromLine;
    fromLine = part.nextLine;
    if (part.end && (isStuck || part.lines.length === 0))
      return { json: { run: id, lines, end: true }, text: lines.join('\n') };
    if (!around.isFollowing && isStuck) return { json: { run: id, lines, end: part.end }, text: lines.join('\n') };
    if (isStuck) await around.clock.sleepFor(LOOK_AGAIN_MS);
  }
}
