import type { StepPlan } from '../model/flow-rows.js';

/** The maximum size of a step's params together with the results they include, in characters of JSON. */
export const MAX_HANDED_IN = 4_194_304;

/**
 * The params of a step's run: the given ones, with the results of the steps that `from` names. `undefined`: the job's. `resultOf` returns
 * the name and the result of a step, null unless it has succeeded.
 */
export function handIn(
  { params, sources }: Pick<StepPlan, 'params' | 'sources'>,
  resultOf: (index: number) => { readonly name: string; readonly result: unknown },
): unknown {
  if (sources === null) return params === null ? undefined : params[0];
  const from =
    typeof sources === 'number'
      ? resultOf(sources).result
      : Object.fromEntries(sources.map(resultOf).map(({ name, result }) => [name, result]));
  return { from, ...(params?.[0] as object) };
}

/** Why the params with their results are refused; null: they are accepted. */
export function tooMuchHandedIn(params: unknown): string | null {
  const size = params === undefined ? 0 : JSON.stringify(params).length;
  if (size <= MAX_HANDED_IN) return null;
  return `params with the results of \`from\` are ${size} characters of JSON, more than ${MAX_HANDED_IN}: hand in keys of data that is stored elsewhere`;
}
