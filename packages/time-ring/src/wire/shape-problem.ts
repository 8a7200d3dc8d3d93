import type { z } from 'zod';

/** The first thing that is wrong, with its field, in one line for a `msg`. */
export function shapeProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue!.path.map(String).join('.') || 'body';
  return `${field}: ${issue!.message}`;
}
