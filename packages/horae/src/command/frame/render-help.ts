import { stripVTControlCharacters } from 'node:util';
import { renderUsage } from 'citty';
import type { HoraeCommand } from './define-command.js';

/** The help of a command: purpose, usage, options, notes and examples. */
export async function renderHelp(command: HoraeCommand, isTerminal: boolean): Promise<string> {
  const usage = await renderUsage(command as never);
  const examples = command.examples.flatMap(({ line, does }) => [`  # ${does}`, `  ${line}`, '']);
  const notes = command.notes === undefined ? [] : [command.notes.trim(), ''];
  const text = [usage.trimEnd(), '', ...notes, ...(examples.length === 0 ? [] : ['EXAMPLES', '', ...examples])];
  const help = `${text.join('\n').trimEnd()}\n`;
  return isTerminal ? help : stripVTControlCharacters(help);
}
