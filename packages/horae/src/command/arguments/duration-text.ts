const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SHAPE = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

/** The milliseconds of `500ms`, `30s`, `5m`, `2h`, `1d`, or of a number of milliseconds; null when it is none of these. */
export function durationMs(given: string | number): number | null {
  const parts = typeof given === 'string' ? SHAPE.exec(given.trim()) : null;
  const value = typeof given === 'number' ? given : parts === null ? Number.NaN : Number(parts[1]) * units[parts[2]!]!;
  return Number.isFinite(value) && value >= 0 ? value : null;
}
