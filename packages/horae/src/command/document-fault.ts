import type { z } from 'zod';
import { plainJson } from './plain-json.js';

/** One thing that is wrong in a document: where it is, what belongs there, and what stands there. */
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

/** What an issue of the schema says, in words. Of a choice between forms, the form that came closest is told. */
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

/** The form whose faults lie deepest: the others were not meant at all. */
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
  const text = plainJson(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
