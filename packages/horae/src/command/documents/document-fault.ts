import type { z } from 'zod';
import { plainJson } from '../output/plain-json.js';

/** The longest text of a received value. */
const MAX_SHOWN = 60;

/** One fault of a document: its path, the expected value and the received value. */
export interface Fault {
  /** Like `tasks.2.cron`; empty for the document itself. */
  readonly path: string;
  /** Counted from 1; null when the value did not come from text. */
  readonly line: number | null;
  readonly expected: string;
  readonly received: string;
}

/** The line of a path in the text it came from. */
export type LineOf = (path: readonly PropertyKey[]) => number | null;

/** Translates a schema issue into faults. For a union, only the closest alternative is reported. */
export function faultsOf(issue: z.core.$ZodIssue, root: unknown, lineOf: LineOf): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => fault([...issue.path, key], root, lineOf, 'no such field'));
  }
  if (issue.code === 'invalid_union') {
    const closest = closestForm(issue.errors);
    if (closest !== undefined) {
      return closest.flatMap((inner) => faultsOf({ ...inner, path: [...issue.path, ...inner.path] }, root, lineOf));
    }
  }
  return [fault(issue.path, root, lineOf, expectedBy(issue))];
}

function fault(path: readonly PropertyKey[], root: unknown, lineOf: LineOf, expected: string): Fault {
  return { path: path.map(String).join('.'), line: lineOf(path), expected, received: shown(valueAt(root, path)) };
}

/** The alternative whose faults lie deepest is the one that was meant. */
function closestForm(forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const depth = (issues: readonly z.core.$ZodIssue[]) => Math.min(...issues.map(({ path }) => path.length));
  const deep = forms.filter((issues) => issues.length > 0 && depth(issues) > 0);
  return deep.sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'a whole number'
        : `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${issue.origin === 'array' || issue.origin === 'string' ? 'a length of' : ''} at least ${issue.minimum}`.trim();
    case 'too_big':
      return `${issue.origin === 'array' || issue.origin === 'string' ? 'a length of' : ''} at most ${issue.maximum}`.trim();
    default:
      return issue.message;
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let at = root;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** A value on one short line. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  const text = plainJson(shortened(value, { left: MAX_SHOWN }));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

/** As much of a value as can be shown: the whole of a large one is not to be written once per fault. */
function shortened(value: unknown, room: { left: number }): unknown {
  if (typeof value === 'string') {
    room.left -= value.length;
    return value.slice(0, MAX_SHOWN + 1);
  }
  room.left -= 1;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const parts: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    if (room.left < 0) break;
    parts.push([key, shortened((value as Record<string, unknown>)[key], room)]);
  }
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
