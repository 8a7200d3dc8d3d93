import { CommandInputError } from '../frame/command-errors.js';

/** The JSON of an option; undefined when it was not given. */
export function jsonArgument(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandInputError(`${option} is no JSON: ${(error as Error).message}`, {
      hint: `for example ${option} '{"to":"ops"}', and a text in quotes of its own: ${option} '"text"'`,
      value: text,
    });
  }
}
