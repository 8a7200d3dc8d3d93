import { z } from 'zod';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SHAPE = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;
const message = 'a duration such as 30s, 5m, 2h, 1d, or milliseconds';

/** Parses a duration into milliseconds: `500ms`, `30s`, `5m`, `2h`, `1d`, or a number of milliseconds. */
export const durationSchema = z.union([z.number(), z.string()], { error: message }).transform((given, context) => {
  const parts = typeof given === 'string' ? SHAPE.exec(given.trim()) : null;
  const value = typeof given === 'number' ? given : parts === null ? Number.NaN : Number(parts[1]) * units[parts[2]!]!;
  if (Number.isFinite(value) && value >= 0) return value;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
