import { badOption, SchedulerOptionError } from './option-error.js';

/** Checks the second argument of `initialize`, which may be left out. */
export function checkInitializeOptions(options: unknown): { readonly tasks?: unknown } {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null)
    throw badOption('options', options, 'an object such as { tasks }');
  const unknown = Object.keys(options).find((key) => key !== 'tasks');
  if (unknown === undefined) return options;
  throw new SchedulerOptionError(`${unknown} is no option of initialize: use tasks`, {
    option: unknown,
    value: (options as Record<string, unknown>)[unknown],
  });
}
