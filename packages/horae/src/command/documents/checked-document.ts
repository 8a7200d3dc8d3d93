import type { z } from 'zod';
import { CommandInputError } from '../frame/command-errors.js';
import { type Fault, faultsOf, type LineOf } from './document-fault.js';
import { type ParsedDocument, parseText } from './document-text.js';
import { MalformedDocument } from './malformed-document.js';

const MAX_FAULTS = 1_000;
const MAX_FAULTS_SHOWN = 20;

/** The checked value of YAML or JSON text. The error names path, line and expected value of each fault, up to 1,000 of them. */
export function checkedText<T>(text: string, schema: z.ZodType<T>, name: string): T {
  const { value, lineOf } = parsed(text, name);
  return checkedValue(value, schema, name, lineOf);
}

/** Checks a value that did not come from text, such as the export of a module; its faults have no lines. */
export function checkedValue<T>(value: unknown, schema: z.ZodType<T>, name: string, lineOf: LineOf = () => null): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.slice(0, MAX_FAULTS).flatMap((issue) => faultsOf(issue, value, lineOf));
  throw documentError(name, faults.slice(0, MAX_FAULTS));
}

function parsed(text: string, name: string): ParsedDocument {
  try {
    return parseText(text);
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error;
    const { line, expected, received } = error;
    throw documentError(name, [{ path: '', line, expected, received }]);
  }
}

/** The error of a document with these faults. */
export function documentError(name: string, faults: readonly Fault[]): CommandInputError {
  const lines = faults.slice(0, MAX_FAULTS_SHOWN).map(({ path, line, expected, received }) => {
    const where = `${path === '' ? 'the document' : path}${line === null ? '' : ` (line ${line})`}`;
    return `${where}: expected ${expected}, got ${received}`;
  });
  const more =
    faults.length > MAX_FAULTS_SHOWN
      ? [`and ${faults.length < MAX_FAULTS ? '' : 'at least '}${faults.length - MAX_FAULTS_SHOWN} more`]
      : [];
  const message = `${name} cannot be used\n${[...lines, ...more].map((line) => `  ${line}`).join('\n')}`;
  return new CommandInputError(message, { hint: 'the command with --help shows what it should look like', faults });
}
