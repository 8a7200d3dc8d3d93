import { inspect } from 'node:util';

const MAX_SHOWN = 120;

/** A value as a message shows it: texts in quotes, objects by their fields, all of it cut. */
export function shownValue(value: unknown): string {
  const shown = typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 1, breakLength: Infinity });
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}

/** The words of something that was thrown, which need not be an `Error`. */
export function thrownWords(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : shownValue(thrown);
}
