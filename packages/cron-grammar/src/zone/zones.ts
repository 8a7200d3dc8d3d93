import { resolveZone } from '@horae/clock-store';
import { offsetProbe } from './zone-offset.js';
import { ZoneTable } from './zone-table.js';

/** More names than any runtime has; past it the cache starts again, so that outside text cannot fill the memory. */
const MAX_ZONES = 2_000;

const tables = new Map<string, ZoneTable>([['UTC', ZoneTable.fixed(0)]]);
let lastName = 'UTC';
let lastTable = tables.get('UTC')!;

/** The table of a zone, the host's when no name is given. Throws `UnknownZoneError` for a name that the runtime does not support. */
export function zoneTable(zone?: string): ZoneTable {
  return zone === lastName ? lastTable : otherTable(zone);
}

function otherTable(zone: string | undefined): ZoneTable {
  const name = zone === undefined ? hostZone() : zone;
  let table = tables.get(name);
  if (table === undefined) {
    if (typeof name !== 'string') resolveZone(name);
    table = new ZoneTable(offsetProbe(name));
    if (tables.size >= MAX_ZONES) tables.clear();
    tables.set(name, table);
  }
  lastName = name;
  lastTable = table;
  return table;
}

/** Instants that tell zones apart: winter, summer, the weeks when America and Europe disagree, and two older years. */
const landmarks = [1_705_276_800, 1_721_001_600, 1_710_633_600, 1_333_238_400, 488_980_800].map(
  (s) => new Date(s * 1000),
);

let hostName: string | undefined;
let hostPrint = 0;

/**
 * The host's zone. Querying `Intl` costs microseconds, so the name is kept while the offsets of a few landmark dates stay the same: when a
 * program changes `process.env.TZ` while it runs, the new zone counts.
 */
function hostZone(): string {
  let print = 0;
  for (let i = 0; i < landmarks.length; i++) print = print * 1_801 + landmarks[i]!.getTimezoneOffset() + 900;
  if (hostName === undefined || print !== hostPrint) {
    hostName = resolveZone();
    hostPrint = print;
  }
  return hostName;
}
