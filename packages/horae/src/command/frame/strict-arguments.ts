import { parseArgs } from 'node:util';
import type { ArgDef, ArgsDef } from 'citty';
import { closestTo } from './closest-name.js';
import { UsageError } from './command-errors.js';
import type { HoraeCommand } from './define-command.js';

type Option = { type: 'string' | 'boolean'; short?: string };

/** Rejects what citty accepts silently: unknown options, options without a value, too many words. */
export function checkArguments(command: HoraeCommand, given: readonly string[]): void {
  const definitions = Object.entries(command.args);
  const options: Record<string, Option> = { help: { type: 'boolean', short: 'h' } };
  for (const [name, definition] of definitions)
    if (definition.type !== 'positional') options[name] = option(definition);
  const hint = `run "${command.meta.name} --help" for what it takes`;
  let positionals: string[];
  try {
    ({ positionals } = parseArgs({ args: [...given], options, allowPositionals: true, strict: true }));
  } catch (error) {
    throw usageError(error as NodeJS.ErrnoException, Object.keys(options), hint);
  }
  const places = definitions.filter(([, { type }]) => type === 'positional');
  if (positionals.length > places.length) {
    const what = places.length === 0 ? 'no words' : places.length === 1 ? 'one word' : `${places.length} words`;
    const quoted = 'expression' in command.args ? '; put the expression in quotes' : '';
    throw new UsageError(`"${command.meta.name}" takes ${what}, got ${positionals.length}${quoted}`, { hint });
  }
  checkMissing(command.args, positionals.length, command.meta.name, hint);
}

function option(definition: ArgDef): Option {
  const type = definition.type === 'boolean' ? 'boolean' : 'string';
  const alias = 'alias' in definition ? [definition.alias].flat().find((name) => name?.length === 1) : undefined;
  return alias === undefined ? { type } : { type, short: alias };
}

function checkMissing(args: ArgsDef, words: number, name: string, hint: string): void {
  const wanted = Object.entries(args).filter(([, { type, required }]) => type === 'positional' && required !== false);
  const missing = wanted[words];
  if (missing !== undefined) throw new UsageError(`"${name}" needs <${missing[0]}>`, { hint });
}

function usageError(error: NodeJS.ErrnoException, names: readonly string[], hint: string): UsageError {
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const unknown = /'(-[^']*)'/.exec(error.message)?.[1] ?? 'option';
    const close = closestTo(unknown.replace(/^-+/, ''), names);
    return new UsageError(`unknown option ${unknown}`, {
      hint: close === undefined ? hint : `did you mean --${close}?`,
    });
  }
  return new UsageError(error.message.split('\n')[0]!.replace(/\.? *Did you forget.*$/, ''), { hint });
}
