import { TimeRingError } from './model/errors.js';
import { type Handler, type RunContext, Unrecoverable } from './model/handler.js';
import type { SchemaInput, SchemaOutput, StandardIssue, StandardSchema } from './model/standard-schema.js';

/** One problem with the parameters, and its path, such as 'to.0.name'. */
export interface ParamsIssue {
  readonly path: string;
  readonly message: string;
}

/** A handler with a schema for its parameters. */
export interface TypedHandler<Params = unknown, Result = unknown> extends Handler {
  readonly schema: StandardSchema<Params, unknown>;
  /** Only for types: undefined at run time. */
  readonly '~types': { readonly params: Params; readonly result: Result };
}

/**
 * A handler whose parameters a schema checks before each call; it receives the schema's output. A mismatch fails the run for good and names
 * the path.
 */
export function handler<Schema extends StandardSchema, Result>(
  schema: Schema,
  run: (context: Omit<RunContext, 'params'> & { params: SchemaOutput<Schema> }) => Result | Promise<Result>,
): TypedHandler<SchemaInput<Schema>, Awaited<Result>> {
  const checked: Handler = async (context) => {
    const outcome = await schema['~standard'].validate(context.params);
    if (outcome.issues !== undefined) throw new Unrecoverable(messageOf(issuesOf(outcome.issues)));
    return run(withParams(context, outcome.value) as Parameters<typeof run>[0]);
  };
  return Object.assign(checked, { schema }) as unknown as TypedHandler<SchemaInput<Schema>, Awaited<Result>>;
}

/** Throws 'bad-params' with `details.issues` when parameters do not match a handler's schema; a handler without one accepts all. */
export async function checkTyped(name: string, given: Handler, params: unknown): Promise<void> {
  const { schema } = given as Partial<TypedHandler>;
  if (schema === undefined) return;
  const outcome = await schema['~standard'].validate(params);
  if (outcome.issues === undefined) return;
  const issues = issuesOf(outcome.issues);
  throw new TimeRingError('bad-params', `${messageOf(issues)} (handler "${name}")`, {
    field: 'params',
    value: params,
    issues,
  });
}

/** The same context with other parameters: its signal is still created only on first use. */
function withParams(context: RunContext, params: unknown): RunContext {
  return new Proxy(context, {
    get: (target, name) => (name === 'params' ? params : Reflect.get(target, name, target)),
  });
}

function issuesOf(issues: readonly StandardIssue[]): ParamsIssue[] {
  return issues.map(({ path = [], message }) => ({
    path: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    message,
  }));
}

function messageOf([first]: readonly ParamsIssue[]): string {
  const where = first === undefined || first.path === '' ? 'params' : `params.${first.path}`;
  return `${where}: ${first?.message ?? 'do not fit the schema'}`;
}
