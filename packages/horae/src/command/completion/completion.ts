import type { ArgsDef } from 'citty';
import { UsageError } from '../frame/command-errors.js';
import { defineCommand, type HoraeCommand } from '../frame/define-command.js';
import { bashScript, type CompletionNode, fishScript, zshScript } from './completion-scripts.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The command that writes the script for everything below `root`. */
export function completionOf(root: HoraeCommand): HoraeCommand {
  return defineCommand({
    name: 'horae completion',
    about: 'A script that completes commands and options with the tab key',
    args: { shell: { type: 'positional', description: 'bash, zsh or fish', required: true } },
    examples: [
      { line: 'horae completion bash >> ~/.bashrc', does: 'bash' },
      { line: 'horae completion zsh > ~/.zfunc/_horae', does: 'zsh, with ~/.zfunc in fpath' },
      { line: 'horae completion fish > ~/.config/fish/completions/horae.fish', does: 'fish' },
    ],
    async run({ shell }) {
      if (!Object.hasOwn(scripts, shell)) {
        throw new UsageError(`there is no script for "${shell}"`, { hint: 'bash, zsh or fish' });
      }
      const script = scripts[shell as keyof typeof scripts](await nodesOf(root, []));
      return { json: { shell, script }, text: script };
    },
  });
}

/** The tree flattened: every command by its words, with what can follow it. */
async function nodesOf(command: HoraeCommand, words: readonly string[]): Promise<CompletionNode[]> {
  const children = await Promise.all(
    Object.entries(command.subCommands ?? {}).map(async ([word, load]) => ({ word, command: await load() })),
  );
  const own: CompletionNode = {
    words,
    children: children.map((child) => ({ word: child.word, about: child.command.meta.description })),
    options: optionsOf(command.args),
  };
  const below = await Promise.all(children.map((child) => nodesOf(child.command, [...words, child.word])));
  return [own, ...below.flat()];
}

function optionsOf(args: ArgsDef): CompletionNode['options'] {
  const options = Object.entries(args).filter(([, { type }]) => type !== 'positional');
  return [
    ...options.map(([name, definition]) => ({
      name,
      about: definition.description ?? '',
      values: 'options' in definition ? (definition.options ?? []) : [],
      takesValue: definition.type !== 'boolean',
    })),
    { name: 'help', about: 'Show the help', values: [], takesValue: false },
  ];
}
