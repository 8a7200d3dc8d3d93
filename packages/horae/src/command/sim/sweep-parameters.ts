import { parseArgs } from 'node:util';
import { UsageError } from '../frame/command-errors.js';

/** The parameters of all `--set` options of a command line; each may also hold several, separated by semicolons. */
export function sweepParameters(given: readonly string[]): Record<string, unknown[]> {
  const { values } = parseArgs({
    args: [...given],
    options: { set: { type: 'string', multiple: true } },
    strict: false,
  });
  const parameters: Record<string, unknown[]> = {};
  for (const text of values.set ?? []) {
    for (const part of splitOutside(String(text), ';')) {
      const at = part.indexOf('=');
      const path = part.slice(0, at).trim();
      if (at < 1 || path === '') throw wrongSet(`--set must be path=value,value, got "${part}"`);
      if (Object.hasOwn(parameters, path)) throw wrongSet(`--set names "${path}" twice`);
      const value = splitOutside(part.slice(at + 1), ',').map(parsedValue);
      Object.defineProperty(parameters, path, { value, enumerable: true, configurable: true });
    }
  }
  return parameters;
}

function wrongSet(message: string): UsageError {
  return new UsageError(message, { hint: 'for example --set lock_defs.desk.capacity=1,2,3' });
}

/** Splits a text, but not inside quotes, brackets and braces: values may be JSON. */
function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let [start, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted && character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === separator && depth <= 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Numbers and everything else that is JSON are values; other words are texts. */
function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
