import { HoraeError } from './errors.js';

/** A time zone that this runtime does not support. */
export class UnknownZoneError extends HoraeError<{ zone: unknown }> {
  readonly code = 'unknown-zone';
}

const resolved = new Map<string, string>();

/**
 * The IANA name of `name` in the spelling of this runtime (`europe/berlin` becomes `Europe/Berlin`), or the host's zone when no name is
 * given. Throws `UnknownZoneError` for anything else, the empty text included.
 */
export function resolveZone(name?: string): string {
  if (name === undefined) return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
  const known = typeof name === 'string' ? resolved.get(name) : undefined;
  if (known !== undefined) return known;
  const zone = canonicalZone(name);
  // A cache fed by outside text must not grow without end; real programs use a handful of zones.
  if (resolved.size >= 2_000) resolved.clear();
  resolved.set(name, zone);
  return zone;
}

function canonicalZone(name: string): string {
  try {
    if (typeof name !== 'string' || name === '') throw new RangeError('not a zone name');
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new UnknownZoneError(
      `Unknown time zone ${JSON.stringify(name) ?? String(name)}: use an IANA name such as "Europe/Berlin" or "UTC"`,
      { zone: name },
      { cause },
    );
  }
}
