import { closestTo } from './closest-name.js';
import { UsageError } from './command-errors.js';
import type { HoraeCommand } from './define-command.js';

/** A command and the words after its name. */
export interface FoundCommand {
  readonly command: HoraeCommand;
  readonly rest: readonly string[];
}

/** Finds the command of a command line. Only the modules on its path are loaded. */
export async function findCommand(root: HoraeCommand, words: readonly string[]): Promise<FoundCommand> {
  let command = root;
  let rest = words;
  while (command.subCommands !== undefined) {
    const word = rest[0];
    if (word === undefined || word.startsWith('-')) break;
    const load = Object.hasOwn(command.subCommands, word) ? command.subCommands[word] : undefined;
    if (load === undefined) throw unknownCommand(command, word);
    command = await load();
    rest = rest.slice(1);
  }
  return { command, rest };
}

function unknownCommand(group: HoraeCommand, word: string): UsageError {
  const names = Object.keys(group.subCommands!);
  const close = closestTo(word, names);
  return new UsageError(`unknown command "${group.meta.name} ${word}"`, {
    hint: close === undefined ? `there are ${names.join(', ')}` : `did you mean "${group.meta.name} ${close}"?`,
  });
}
