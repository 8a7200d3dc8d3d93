import { isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { CommandInputError } from './command-errors.js';
import { type Fault, faultsOf, type LineOf } from './document-fault.js';

const MOST_FAULTS_SHOWN = 20;

/** The value of YAML or JSON text, checked. What is wrong is told with path, line and what belongs there. */
export function checkedText<T>(text: string, schema: z.ZodType<T>, name: string): T {
  // JSON is YAML too, but its own parser is a hundred times faster; YAML's is asked where the faults are.
  const { value, lineOf } = parseJson(text) ?? parseYaml(text, name);
  return checkedValue(value, schema, name, lineOf);
}

/** A value that is already there, such as the export of a module, checked in the same way; its faults have no lines. */
export function checkedValue<T>(value: unknown, schema: z.ZodType<T>, name: string, lineOf: LineOf = () => null): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw documentError(
    name,
    result.error.issues.flatMap((issue) => faultsOf(issue, value, lineOf)),
  );
}

/** The error of a document with these faults. */
export function documentError(name: string, faults: readonly Fault[]): CommandInputError {
  const lines = faults.slice(0, MOST_FAULTS_SHOWN).map(({ path, line, expected, received }) => {
    const where = `${path === '' ? 'the document' : path}${line === null ? '' : ` (line ${line})`}`;
    return `${where}: expected ${expected}, got ${received}`;
  });
  const more = faults.length > MOST_FAULTS_SHOWN ? [`and ${faults.length - MOST_FAULTS_SHOWN} more`] : [];
  const message = `${name} cannot be used\n${[...lines, ...more].map((line) => `  ${line}`).join('\n')}`;
  return new CommandInputError(message, { hint: 'the command with --help shows what it should look like', faults });
}

interface Parsed {
  readonly value: unknown;
  readonly lineOf: LineOf;
}

function parseJson(text: string): Parsed | null {
  try {
    return { value: JSON.parse(text), lineOf: (path) => parseYaml(text, '').lineOf(path) };
  } catch {
    return null;
  }
}

function parseYaml(text: string, name: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const line = lines.linePos(broken.pos[0]).line;
    throw documentError(name, [{ path: '', line, expected: 'well-formed YAML or JSON', received: broken.message }]);
  }
  const lineOf: LineOf = (path) => {
    // A field that is missing has no line of its own: the deepest thing around it does.
    for (let depth = path.length; depth >= 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true) as { range?: readonly number[] } | undefined;
      const range = node?.range ?? (isScalar(node) ? node.range : undefined);
      if (range) return lines.linePos(range[0]!).line;
    }
    return null;
  };
  return { value: toPlain(document, name), lineOf };
}

function toPlain(document: ReturnType<typeof parseDocument>, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const received = (error as Error).message;
    throw documentError(name, [{ path: '', line: null, expected: 'fewer aliases', received }]);
  }
}
