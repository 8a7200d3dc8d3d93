import { z } from 'zod';
import { durationMs } from './duration-text.js';

const message = 'a duration such as 30s, 5m, 2h, 1d, or milliseconds';

/** Parses a duration into milliseconds: `500ms`, `30s`, `5m`, `2h`, `1d`, or a number of milliseconds. */
export const durationSchema = z.union([z.number(), z.string()], { error: message }).transform((given, context) => {
  const ms = durationMs(given);
  if (ms !== null) return ms;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
