const units = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** How far `ms` is from now, in the largest fitting unit: `in 3 days`, `2 hours ago`. */
export function relativeTime(ms: number): string {
  const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? units.at(-1)!;
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(Math.trunc(ms / size), unit);
}
