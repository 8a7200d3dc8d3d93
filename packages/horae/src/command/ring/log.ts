import type { CommandContext } from '../frame/command-context.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { escapeLines } from '../output/escape-controls.js';
import type { RingClient } from './ring-client.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

const LOOK_AGAIN_MS = 500;

export const log = defineCommand({
  name: 'horae ring log',
  about: 'What a run said',
  args: {
    run: { type: 'positional', description: 'The number of the run', required: true },
    ...ringArguments,
    follow: { type: 'boolean', alias: 'f', description: 'Go on until the run is over' },
  },
  examples: [
    { line: 'horae ring log 120 --url http://127.0.0.1:7070 --follow', does: 'as it happens' },
    { line: 'horae ring log 120 --database sqlite:./ring.db', does: 'what is written so far' },
  ],
  async run(args, context) {
    const id = idOf('<run>', args.run);
    const isFollowing = args.follow === true && args.json !== true;
    return withRingClient(args, (client) => readLog(client, id, { ...context, isFollowing }), { isReading: true });
  },
});

/** Everything from the first line on. Lines of a followed run are written as they come. */
async function readLog(
  client: RingClient,
  id: number,
  around: CommandContext & { isFollowing: boolean },
): Promise<Answer> {
  const lines: string[] = [];
  let fromLine = 0;
  for (;;) {
    const part = await client.log(id, fromLine);
    if (around.isFollowing) for (const line of part.lines) around.writeLine(escapeLines(line));
    else lines.push(...part.lines);
    const isStuck = part.nextLine <= fromLine;
    fromLine = part.nextLine;
    if (part.end && (isStuck || part.lines.length === 0))
      return { json: { run: id, lines, end: true }, text: lines.join('\n') };
    if (isStuck && !part.end && (await isUnreadable(client, id, fromLine))) return unreadable(id, lines);
    if (!around.isFollowing && isStuck) return { json: { run: id, lines, end: part.end }, text: lines.join('\n') };
    if (isStuck) await around.clock.sleepFor(LOOK_AGAIN_MS);
  }
}

/** Whether the run is over and its log has no end: read again, since it may have ended a moment ago. */
async function isUnreadable(client: RingClient, id: number, fromLine: number): Promise<boolean> {
  const endedAt = (await client.run(id))?.endedAt;
  if (endedAt === null || endedAt === undefined) return false;
  const { nextLine, end } = await client.log(id, fromLine);
  return !end && nextLine <= fromLine;
}

/** The run is over, but the executor that has its log does not return it: empty and unreadable must not look alike. */
function unreadable(id: number, lines: readonly string[]): Answer {
  const problem = `the log of run ${id} cannot be read: its executor does not answer, or no longer has it`;
  return { json: { run: id, lines, end: false, problem }, text: [...lines, problem].join('\n'), exitCode: 1 };
}
