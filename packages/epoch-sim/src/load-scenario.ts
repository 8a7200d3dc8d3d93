import { type Document, isNode, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { EpochInput, EpochOptions } from './interchange.js';
import { scenarioSchema } from './scenario-schema.js';
import { InvalidScenario, quote, type ScenarioFault } from './sim-errors.js';

/** A scenario: an input for `runEpoch`, and what a person wants to say about it. */
export interface Scenario extends EpochInput {
  readonly title?: string;
  readonly about?: string;
  /** How many epochs of the given length to simulate; 1 by default. */
  readonly epochs?: number;
  readonly options?: Omit<EpochOptions, 'onEnd'>;
}

/** The longest text that is read. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

type Place = (path: readonly PropertyKey[]) => number | null;

/**
 * Reads a scenario from YAML or JSON text, or from a value that is already parsed. Throws `InvalidScenario`, which names the
 * path of each bad field, its line and what belongs there. It does not judge whether verbs, skills or stocks fit together:
 * that is data of the result.
 */
export function loadScenario(yamlOrJson: unknown): Scenario {
  if (typeof yamlOrJson !== 'string') return checked(yamlOrJson, () => null);
  if (yamlOrJson.length > MOST_CHARACTERS) throw fault([at([], null, `at most ${MOST_CHARACTERS} characters`, 'more')]);
  const lines = new LineCounter();
  const document = parseDocument(yamlOrJson, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw fault([at([], lines.linePos(broken.pos[0]).line, 'well-formed YAML or JSON', broken.message)]);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    throw fault([at([], null, 'fewer aliases', String(cause))]);
  }
  return checked(value, (path) => lineAt(document, lines, path));
}

/** The line of the deepest node on the path that exists, because a missing field has no line of its own. */
function lineAt(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number | null {
  for (let depth = path.length; depth >= 0; depth--) {
    const found = document.getIn(path.slice(0, depth), true);
    const node = isNode(found) ? (found as Node) : null;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

function checked(value: unknown, lineOf: Place): Scenario {
  const parsed = scenarioSchema.safeParse(value);
  if (parsed.success) return parsed.data as Scenario;
  throw fault(parsed.error.issues.flatMap((issue) => faultsOf(issue, value, lineOf)));
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown, lineOf: Place): ScenarioFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return at(path, lineOf(path), 'no such field', quote(key));
    });
  }
  return [at(issue.path, lineOf(issue.path), issue.message, received(value, issue.path))];
}

function received(value: unknown, path: readonly PropertyKey[]): string {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return 'nothing';
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  if (Array.isArray(found)) return 'a list';
  return typeof found === 'object' && found !== null ? 'a map' : quote(found);
}

function at(path: readonly PropertyKey[], line: number | null, expected: string, got: string): ScenarioFault {
  const text = path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return { path: text, line, expected, received: got };
}

function fault(faults: ScenarioFault[]): InvalidScenario {
  const first = faults[0]!;
  const where = `${first.path === '' ? 'the document' : first.path}${first.line === null ? '' : ` (line ${first.line})`}`;
  const more = faults.length > 1 ? `; and ${faults.length - 1} more` : '';
  const message = `InvalidScenario: ${where}: expected ${first.expected}, got ${first.received}${more}`;
  return new InvalidScenario(message, { ...first, faults });
}
