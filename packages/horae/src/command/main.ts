import { readFile } from 'node:fs/promises';
import { runCommand } from 'citty';
import { root } from './command-tree.js';
import { type CommandContext, processContext } from './frame/command-context.js';
import { UsageError } from './frame/command-errors.js';
import type { Answer, HoraeCommand } from './frame/define-command.js';
import { findCommand } from './frame/find-command.js';
import { renderHelp } from './frame/render-help.js';
import { checkArguments } from './frame/strict-arguments.js';
import { escapeLines } from './output/escape-controls.js';
import { plainJson } from './output/plain-json.js';
import { exitCodeOf, renderReport, reportOf } from './output/report-error.js';

/**
 * Runs a command line of `horae`: the answer goes to standard output, errors to standard error, and the exit code is set: 0, 1 for bad
 * input, 2 for wrong usage. Never calls `process.exit`, so that a pipe receives all of its output.
 */
export async function main(words: readonly string[]): Promise<void> {
  const context = processContext();
  try {
    process.exitCode = await run(words, context);
  } catch (error) {
    context.showProgress('');
    const cause = asUsageError(error);
    process.exitCode = exitCodeOf(cause);
    process.stderr.write(renderReport(reportOf(cause), cause, words.includes('--json')));
    if (process.env.HORAE_DEBUG !== undefined && error instanceof Error)
      process.stderr.write(`${escapeLines(String(error.stack))}\n`);
  }
}

async function run(words: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  if (asked[0] === '--version' || asked[0] === '-v') return printVersion(context);
  const { command, rest } = await findCommand(root, asked);
  if (asksForHelp(rest)) return printHelp(command, context);
  if (command.subCommands !== undefined) return incomplete(command, rest, context);
  checkArguments(command, rest);
  const { result } = await runCommand(command as never, { rawArgs: [...rest], data: context });
  const answer = result as Answer | undefined;
  context.showProgress('');
  if (answer === undefined) return 0;
  const text = rest.includes('--json')
    ? plainJson(answer.json, context.isTerminal ? 2 : undefined)
    : escapeLines(answer.text);
  if (text !== '') context.write(text.endsWith('\n') ? text : `${text}\n`);
  return answer.exitCode ?? 0;
}

function asksForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  return rest.slice(0, end === -1 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

async function printVersion({ write }: CommandContext): Promise<0> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  write(`${JSON.parse(manifest).version}\n`);
  return 0;
}

async function printHelp(command: HoraeCommand, { isTerminal, write }: CommandContext): Promise<0> {
  write(await renderHelp(command, isTerminal));
  return 0;
}

/** A group without a command shows its help once its options are checked; below the root it is a usage error. */
async function incomplete(command: HoraeCommand, rest: readonly string[], context: CommandContext): Promise<0 | 2> {
  checkArguments(command, rest);
  if (command === root) return printHelp(command, context);
  process.stderr.write(await renderHelp(command, process.stderr.isTTY === true));
  throw new UsageError(`"${command.meta.name}" needs a command`, {
    hint: `one of ${Object.keys(command.subCommands!).join(', ')}`,
  });
}

/** The parser's own errors are usage errors. */
function asUsageError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'CLIError') return error;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the parser colours its messages
  return new UsageError(error.message.replace(/\u001B\[\d+m/g, ''), { hint: 'run the command with --help' });
}
