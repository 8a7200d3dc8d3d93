import { UsageError } from '../frame/command-errors.js';

/**
 * The token of an option, or else of the first environment variable that has one. An empty variable counts as none: it is what a
 * deployment leaves behind when a secret is missing, and must not take the place of a configured token.
 */
export function tokenOf(
  option: string,
  given: string | undefined,
  ...variables: readonly string[]
): string | undefined {
  if (given === '') {
    throw new UsageError(`${option} is empty`, { hint: `give a token, or leave ${option} out` });
  }
  return given ?? variables.map((name) => process.env[name]).find((value) => value !== undefined && value !== '');
}
