import { DAY_SECONDS, monthStart } from '../../calendar/civil-day.js';
import { ZoneTable } from '../../zone/zone-table.js';
import { zoneTable } from '../../zone/zones.js';
import { type IcsProperty, type IcsZoneLines, invalid } from './content-lines.js';
import { expandRule, type PeriodBudget } from './expand-rule.js';
import { readLocal } from './ics-local.js';
import { readRule } from './recurrence-rule.js';

/** The limit of years visited for the zones of one file: 600 per rule leaves room for 160 rules. */
const MAX_ZONE_YEARS = 100_000;

/** Rules of a zone are followed to here; events are followed for ten years from their start. */
const LAST_SECOND = monthStart(2200 * 12) * DAY_SECONDS;

/** Finds the zone of a TZID. */
export type IcsZones = (name: string) => ZoneTable;

/**
 * The zones of a file: the runtime's under their IANA names, else those that the file defines itself, as Outlook does under
 * Windows names. A TZID that is neither is an `InvalidCalendarError`.
 */
export function icsZones(defined: readonly IcsZoneLines[]): IcsZones {
  const known = new Map<string, ZoneTable>();
  const budget: PeriodBudget = { periods: MAX_ZONE_YEARS };
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const lines = defined.find(({ name: own }) => own === name);
    const zone = runtimeZone(name) ?? (lines === undefined ? null : definedZone(lines, budget));
    if (zone === null) throw invalid(name, 'has a TZID that is no IANA zone of this runtime and has no VTIMEZONE');
    known.set(name, zone);
    return zone;
  };
}

function runtimeZone(name: string): ZoneTable | null {
  try {
    // Some programs put their own prefix before the IANA name.
    return zoneTable(name.replace(/^\/(?:[^/]*\/)?(?=[A-Z][A-Za-z_]+\/)/, ''));
  } catch {
    return null;
  }
}

/** From `at` on the zone is `offset` ahead of UTC, in seconds. */
interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

function definedZone({ name, observances }: IcsZoneLines, budget: PeriodBudget): ZoneTable {
  if (observances.length === 0) throw invalid(name, 'has a VTIMEZONE without STANDARD and DAYLIGHT');
  const all = observances.map((properties) => readObservance(name, properties, budget));
  const changes = all.flatMap(({ changes }) => changes).sort((a, b) => a.at - b.at);
  const first = all.reduce((one, other) => (other.changes[0]!.at < one.changes[0]!.at ? other : one));
  return new ZoneTable((second) => offsetAfter(changes, second) ?? first.before);
}

function offsetAfter(changes: readonly OffsetChange[], second: number): number | undefined {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.at <= second) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1]?.offset;
}

/** One STANDARD or DAYLIGHT: when it sets in, and the offset before that. */
function readObservance(
  zone: string,
  properties: readonly IcsProperty[],
  budget: PeriodBudget,
): { before: number; changes: readonly OffsetChange[] } {
  const one = (name: string): IcsProperty => {
    const property = properties.find((candidate) => candidate.name === name);
    if (property === undefined) throw invalid(zone, `has a VTIMEZONE without ${name}`);
    return property;
  };
  const before = readOffset(one('TZOFFSETFROM'));
  const offset = readOffset(one('TZOFFSETTO'));
  const start = readLocal(one('DTSTART')).local;
  const onsets = new Set([start]);
  for (const { name, parameters, value } of properties) {
    if (name === 'RDATE')
      for (const text of value.split(',')) onsets.add(readLocal({ name, parameters, value: text }).local);
    if (name !== 'RRULE') continue;
    const rule = readRule(value);
    const until = rule.until === null ? null : readLocal({ name: 'UNTIL', parameters: {}, value: rule.until });
    const last = until === null ? LAST_SECOND : until.local + (until.utc ? before : 0);
    const { starts, complete } = expandRule(rule, start, Math.min(LAST_SECOND, last + 1), MAX_ZONE_YEARS, budget);
    if (!complete) throw invalid(zone, 'has VTIMEZONE rules with too many changes');
    for (const each of starts) onsets.add(each);
  }
  const sorted = [...onsets].sort((a, b) => a - b);
  // Onsets are local times by the offset that ends.
  return { before, changes: sorted.map((local) => ({ at: local - before, offset })) };
}

/** `+0100`, `-053000` */
function readOffset({ name, value }: IcsProperty): number {
  const parts = /^([+-])([0-9]{2})([0-9]{2})([0-9]{2})?$/.exec(value.trim());
  const [hours, minutes, seconds] = (parts?.slice(2) ?? []).map((part) => Number(part ?? 0));
  if (parts === null || hours! > 23 || minutes! > 59 || seconds! > 59) {
    throw invalid(value, `has a ${name} that is no offset such as +0100`);
  }
  return (parts[1] === '-' ? -1 : 1) * (hours! * 3600 + minutes! * 60 + seconds!);
}
