import { Buffer } from 'node:buffer';
import type { HookName } from '../interchange/hooks.js';
import type { EpochInput } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { InvalidScenario, quote, type ScenarioFault } from '../interchange/sim-errors.js';
import { readJson } from './scenario-json.js';
import { MAX_NESTING, type Path, type ScenarioText, TextFault, type TextPlace } from './scenario-place.js';
import { scenarioSchema, schemaWords } from './scenario-schema.js';
import { readYaml } from './scenario-yaml.js';

/** A scenario: an input for `runEpoch`, and texts for its readers. */
export interface Scenario extends EpochInput {
  readonly title?: string;
  readonly about?: string;
  /** How many epochs of the given length to simulate; 1 by default. */
  readonly epochs?: number;
  readonly options?: Omit<EpochOptions, HookName>;
}

/** The longest text that is read, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Faults beyond this number are only counted. */
const MAX_FAULTS = 1_000;

/**
 * Reads a scenario from YAML or JSON text, or from a value that is already parsed. Throws `InvalidScenario`, which names the
 * path of each bad field, its line and column and what belongs there. A text may have 16 MiB and 64 levels of nesting. Whether
 * verbs, skills or stocks fit together is data of the result.
 */
export function loadScenario(yamlOrJson: unknown): Scenario {
  if (typeof yamlOrJson !== 'string') return checked({ value: yamlOrJson, placesOf: () => [] });
  try {
    return checked(readText(yamlOrJson));
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw invalid([at(error.path, error.place, error.expected, error.received)], 1);
  }
}

function readText(text: string): ScenarioText {
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES)
    throw new TextFault({ place: null, expected: 'at most 16 MiB of text', received: 'more' });
  return (/^\s*[[{]/.test(text) ? readJson(text) : null) ?? readYaml(text);
}

function checked({ value, placesOf }: ScenarioText): Scenario {
  if (isTooDeep(value)) throw invalid([at([], null, `at most ${MAX_NESTING} levels of nesting`, 'more')], 1);
  const parsed = scenarioSchema.safeParse(value, { error: schemaWords });
  if (parsed.success) return parsed.data as Scenario;
  const found: { path: Path; expected: string; received: string }[] = [];
  let count = 0;
  for (const issue of parsed.error.issues) {
    const unknown = issue.code === 'unrecognized_keys';
    const paths = unknown ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    count += paths.length;
    for (const path of paths.slice(0, MAX_FAULTS - found.length)) {
      if (unknown) found.push({ path, expected: 'no such field', received: quote(String(path.at(-1))) });
      else found.push({ path, expected: issue.message, received: received(value, path) });
    }
  }
  const places = placesOf(found.map(({ path }) => path));
  throw invalid(
    found.map(({ path, expected, received: got }, i) => at(path, places[i] ?? null, expected, got)),
    count,
  );
}

/** A parsed value may also contain itself. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_NESTING; depth++) {
    const next = new Set<unknown>();
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.add(inner);
    if (next.size === 0) return false;
    level = [...next];
  }
  return true;
}

function received(value: unknown, path: Path): string {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return 'nothing';
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  if (Array.isArray(found)) return 'a list';
  return typeof found === 'object' && found !== null ? 'a map' : quote(found);
}

function at(path: Path, place: TextPlace | null, expected: string, got: string): ScenarioFault {
  const text = path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return { path: text, line: place?.line ?? null, column: place?.column ?? null, expected, received: got };
}

function invalid(faults: ScenarioFault[], count: number): InvalidScenario {
  const first = faults[0]!;
  const place = first.line === null ? '' : ` (line ${first.line})`;
  const column = first.column === null ? '' : `, at column ${first.column}`;
  const where = `${first.path === '' ? 'the document' : first.path}${place}`;
  const more = count > 1 ? `; and ${count - 1} more` : '';
  const message = `InvalidScenario: ${where}: expected ${first.expected}, got ${first.received}${column}${more}`;
  return new InvalidScenario(message, { ...first, faults });
}
