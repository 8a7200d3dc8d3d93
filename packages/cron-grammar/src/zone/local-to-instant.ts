import type { EpochMs } from '@horae/clock-store';
import { instantOfLocal } from './local-instant.js';
import { zoneTable } from './zones.js';

/**
 * The instant at which the clock of a zone shows a local time, given as if it were UTC: `Date.UTC(2026, 0, 31, 9)` for nine in the morning.
 * Of two such instants the first is returned; a time that the clock skips is read with the offset from before the gap. Without `zone` the
 * host's zone counts. Throws `UnknownZoneError` for an unknown zone.
 */
export function localToInstant(localMs: number, zone?: string): EpochMs {
  const second = Math.floor(localMs / 1_000);
  return instantOfLocal(second, zoneTable(zone)) * 1_000 + (localMs - second * 1_000);
}
