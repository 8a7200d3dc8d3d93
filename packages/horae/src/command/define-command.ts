import type { ArgsDef, CommandContext, CommandDef, ParsedArgs } from 'citty';
import type { Surroundings } from './surroundings.js';

/** What a command hands back to be printed: the value for `--json`, and lines for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** 1 when the question was understood and the answer is "no". */
  readonly exitCode?: 0 | 1;
}

/** A line to copy, and what it does. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What every command takes. */
const everywhere = {
  json: { type: 'boolean', description: 'Print JSON for programs instead of text for people' },
} as const satisfies ArgsDef;

/** A command or a group of commands, with the examples that its help shows. */
export interface HoraeCommand extends CommandDef<ArgsDef> {
  readonly meta: { readonly name: string; readonly description: string };
  readonly args: ArgsDef;
  readonly examples: readonly Example[];
  /** More to know, below the options in the help. */
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
  /** Nothing to print when it returns nothing: a daemon that has ended. */
  run(args: ParsedArgs<A>, surroundings: Surroundings): Promise<Answer | undefined> | Answer;
}

/** A command that does something. */
export function defineCommand<const A extends ArgsDef>(shape: CommandShape<A>): HoraeCommand {
  return {
    meta: { name: shape.name, description: shape.about },
    args: { ...shape.args, ...everywhere },
    examples: shape.examples,
    ...(shape.notes === undefined ? {} : { notes: shape.notes }),
    run: ({ args, data }: CommandContext<ArgsDef>) => shape.run(args as unknown as ParsedArgs<A>, data as Surroundings),
  };
}

/** A command that only leads to others, each loaded when it is asked for. */
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
