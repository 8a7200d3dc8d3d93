import type { EpochInput } from '../interchange/interchange.js';
import { SCENARIO_FIELDS, type ScenarioList } from '../scenario/scenario-schema.js';

/**
 * Why a dotted path leads nowhere in an input; null for a usable path. Its target need not exist yet, but it must be something that the
 * simulation reads: a field of something that exists, or of a lock, a resource or an actor that is named somewhere. Anything else would be
 * a misspelt path, whose points are all the same.
 */
export function pathProblem(input: EpochInput, path: string): string | null {
  const keys = path.split('.');
  if (keys.some((key) => key === '' || key === '__proto__')) return 'give a path into the input, such as epoch.end_at';
  let place: unknown = input;
  for (const [i, key] of keys.entries()) {
    if (typeof place !== 'object' || place === null) return `"${keys[i - 1]}" is no map; give a path into the input`;
    if (!Object.hasOwn(place, key)) return isReadable(input, keys, i) ? null : unknownAt(place, keys, i);
    place = (place as Record<string, unknown>)[key];
  }
  return null;
}

function unknownAt(place: object, keys: readonly string[], at: number): string {
  const known = Object.keys(place).slice(0, 10).join(', ');
  const where = at === 0 ? 'the input' : `"${keys.slice(0, at).join('.')}"`;
  return `${where} has no "${keys[at]}"; give a path that exists${known === '' ? '' : ` (there: ${known})`}`;
}

/** Whether the simulation reads a path whose part from `missing` on is not there yet. */
function isReadable(input: EpochInput, keys: readonly string[], missing: number): boolean {
  const [top, name, field] = keys as [string, string?, string?];
  if (top === 'epochs') return keys.length === 1;
  if (top === 'options') return keys.length === 2 && SCENARIO_FIELDS.options.includes(name!);
  if (top === 'epoch') return keys.length === 2 && ['index', 'end_at'].includes(name!);
  if (top === 'skills') return keys.length === 3 && actorsOf(input).has(name!);
  if (top === 'resources') return keys.length <= 3 && isOneOf(field, 'stock', 'max') && resourcesOf(input).has(name!);
  if (top === 'lock_defs') return keys.length === 3 && isOneOf(field, 'capacity', 'order') && locksOf(input).has(name!);
  const isEntry = keys.length === 3 && missing === 2 && Object.hasOwn(SCENARIO_FIELDS, top);
  return isEntry && SCENARIO_FIELDS[top as ScenarioList].includes(field!);
}

function isOneOf(field: string | undefined, ...known: readonly string[]): boolean {
  return field === undefined || known.includes(field);
}

function listOf<Item>(list: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(list) ? list : [];
}

function locksOf({ action_defs, lock_defs, outages }: EpochInput): Set<string> {
  const needs = Object.values(action_defs ?? {}).flatMap((def) => listOf(def?.locks));
  const named = needs.map((need) => (typeof need === 'string' ? need : need?.name));
  return new Set([...named, ...Object.keys(lock_defs ?? {}), ...listOf(outages).map((outage) => outage?.lock)]);
}

function resourcesOf({ action_defs }: EpochInput): Set<string> {
  const needs = Object.values(action_defs ?? {}).flatMap((def) => listOf(def?.resources));
  return new Set(needs.map((need) => need?.name));
}

function actorsOf({ actions_submitted, arrivals }: EpochInput): Set<string | undefined> {
  return new Set([...listOf(actions_submitted), ...listOf(arrivals)].map((given) => given?.actor));
}
