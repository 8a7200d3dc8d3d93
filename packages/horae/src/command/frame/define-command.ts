import type { ArgsDef, CommandDef, ParsedArgs, CommandContext as ParsedCommand } from 'citty';
import type { CommandContext } from './command-context.js';

/** The result of a command: the value for `--json`, and text for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** 1 when the input is valid and the answer is "no". */
  readonly exitCode?: 0 | 1;
}

/** A line to copy, and what it does. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** Options of every command. */
const everywhere = {
  json: { type: 'boolean', description: 'Print JSON for programs instead of text for people' },
} as const satisfies ArgsDef;

/** A command or a group of commands, with the examples that its help shows. */
export interface HoraeCommand extends CommandDef<ArgsDef> {
  readonly meta: { readonly name: string; readonly description: string };
  readonly args: ArgsDef;
  readonly examples: readonly Example[];
  /** Shown below the options in the help. */
  readonly notes?: string;
  readonly subCommands?: Readonly<Record<string, () => Promise<HoraeCommand>>>;
}

interface CommandShape<A extends ArgsDef> {
  /** As typed: `horae cron next`. */
  readonly name: string;
  readonly about: string;
  readonly args?: A;
  readonly examples: readonly Example[];
  readonly notes?: string;
  /** Returns nothing when there is nothing to print: a daemon that has stopped. `given` are the words as they were typed. */
  run(args: ParsedArgs<A>, context: CommandContext, given: readonly string[]): Promise<Answer | undefined> | Answer;
}

/** Defines a command. */
export function defineCommand<const A extends ArgsDef>(shape: CommandShape<A>): HoraeCommand {
  return {
    meta: { name: shape.name, description: shape.about },
    args: { ...shape.args, ...everywhere },
    examples: shape.examples,
    ...(shape.notes === undefined ? {} : { notes: shape.notes }),
    run: ({ args, data, rawArgs }: ParsedCommand<ArgsDef>) =>
      shape.run(args as unknown as ParsedArgs<A>, data as CommandContext, rawArgs),
  };
}

/** Defines a group of commands. Each is loaded when it is used. */
export function defineGroup(shape: {
  readonly name: string;
  readonly about: string;
  readonly examples: readonly Example[];
  readonly commands: Readonly<Record<string, () => Promise<HoraeCommand>>>;
}): HoraeCommand {
  return {
    meta: { name: shape.name, description: shape.about },
    args: {},
    examples: shape.examples,
    subCommands: shape.commands,
  };
}
