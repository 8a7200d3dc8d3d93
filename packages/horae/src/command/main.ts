import { readFile } from 'node:fs/promises';
import { runCommand } from 'citty';
import { UsageError } from './command-errors.js';
import { root } from './command-tree.js';
import type { Answer, HoraeCommand } from './define-command.js';
import { findCommand } from './find-command.js';
import { plainJson } from './plain-json.js';
import { renderHelp } from './render-help.js';
import { exitCodeOf, renderReport, reportOf } from './report-error.js';
import { checkArguments } from './strict-arguments.js';
import { processSurroundings, type Surroundings } from './surroundings.js';

/**
 * Runs a command line of `horae`: the answer goes to standard output, errors to standard error, and the exit code is set: 0, 1
 * for bad input, 2 for wrong usage. Never calls `process.exit`, so that a pipe gets all of its output.
 */
export async function main(words: readonly string[]): Promise<void> {
  process.stdout.once('error', onOutputLost).on('error', () => {});
  const surroundings = processSurroundings();
  try {
    process.exitCode = await run(words, surroundings);
  } catch (error) {
    surroundings.showProgress('');
    const cause = asUsageError(error);
    process.exitCode = exitCodeOf(cause);
    process.stderr.write(renderReport(reportOf(cause), cause, words.includes('--json')));
    if (process.env.HORAE_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  }
}

/** Whoever reads may have enough, as in `horae cron next … | head -1`. A daemon is told to stop; it has nobody to talk to. */
function onOutputLost(): void {
  if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM', 'SIGTERM');
  else process.exit(0);
}

async function run(words: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  if (asked[0] === '--version' || asked[0] === '-v') return printVersion();
  const { command, rest } = await findCommand(root, asked);
  if (asksForHelp(rest)) return printHelp(command, surroundings);
  if (command.subCommands !== undefined) return incomplete(command, rest, surroundings);
  checkArguments(command, rest);
  const { result } = await runCommand(command as never, { rawArgs: [...rest], data: surroundings });
  const answer = result as Answer | undefined;
  surroundings.showProgress('');
  if (answer === undefined) return 0;
  const text = rest.includes('--json') ? plainJson(answer.json, surroundings.isTerminal ? 2 : undefined) : answer.text;
  if (text !== '') process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return answer.exitCode ?? 0;
}

function asksForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  return rest.slice(0, end === -1 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

async function printVersion(): Promise<0> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
  return 0;
}

async function printHelp(command: HoraeCommand, { isTerminal }: Surroundings): Promise<0> {
  process.stdout.write(await renderHelp(command, isTerminal));
  return 0;
}

/** A group without a command is a question about the group, except with options it does not have. */
async function incomplete(command: HoraeCommand, rest: readonly string[], surroundings: Surroundings): Promise<0 | 2> {
  checkArguments(command, rest);
  if (command === root) return printHelp(command, surroundings);
  process.stderr.write(await renderHelp(command, process.stderr.isTTY === true));
  throw new UsageError(`"${command.meta.name}" needs a command`, {
    hint: `one of ${Object.keys(command.subCommands!).join(', ')}`,
  });
}

/** The parser's own complaints are about usage. */
function asUsageError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'CLIError') return error;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the parser colours its messages
  return new UsageError(error.message.replace(/\u001B\[\d+m/g, ''), { hint: 'run the command with --help' });
}
