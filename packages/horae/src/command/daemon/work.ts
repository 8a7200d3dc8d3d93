import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { importDefault } from '../documents/config-file.js';
import { CommandInputError } from '../frame/command-errors.js';
import { runShell } from './run-shell.js';

/** The run that work is called for. */
export interface WorkContext {
  /** Aborted when the run has to end. */
  readonly signal: AbortSignal;
  /** Facts for a shell command, as environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The argument of a function. */
  readonly argument: unknown;
  /** Logs a line of the work's output. */
  log(line: string): void;
}

/** A unit of work: it succeeds by resolving, with an optional message, and fails by rejecting. */
export type Work = (context: WorkContext) => Promise<unknown>;

type AnyFunction = (argument: unknown) => unknown;

/** Configuration fields of work: a shell command, an export of a module, or a function (in a configuration module). */
export const workFields = {
  run: z
    .union([z.string().min(1), z.custom<AnyFunction>((value) => typeof value === 'function')], {
      error: 'a shell command, or in a module a function',
    })
    .optional(),
  module: z.string().min(1).optional(),
  export: z.string().min(1).optional(),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
};

/** The fields of `workFields` as a value. */
export interface WorkFields {
  readonly run?: string | AnyFunction | undefined;
  readonly module?: string | undefined;
  readonly export?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Record<string, string> | undefined;
}

/** Requires exactly one of `run` and `module`. */
export function checkWork(work: WorkFields, context: z.RefinementCtx): void {
  if ((work.run === undefined) !== (work.module === undefined)) return;
  context.addIssue({
    code: 'custom',
    path: ['run'],
    message: 'either "run" (a shell command) or "module" (a file), one of the two',
  });
}

/** Loads the work of a configuration. Modules are resolved relative to the configuration and loaded now, so errors appear at once. */
export async function loadWork(fields: WorkFields, configPath: string, owner: string): Promise<Work> {
  if (typeof fields.run === 'string') {
    const { run, cwd, env } = fields;
    return (context) =>
      runShell(run, { cwd, env: { ...env, ...context.variables }, signal: context.signal, log: context.log });
  }
  const found =
    fields.run ?? (await importDefault(resolve(dirname(configPath), fields.module!), fields.module!, fields.export));
  if (typeof found !== 'function') {
    throw new CommandInputError(
      `${owner}: the export "${fields.export ?? 'default'}" of ${fields.module} is no function`,
      {
        hint: 'export the function that does the work',
      },
    );
  }
  return async ({ argument }) => (found as AnyFunction)(argument);
}
