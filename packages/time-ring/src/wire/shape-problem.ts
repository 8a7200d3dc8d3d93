import type { z } from 'zod';

/** The first problem, with its field, in one line for a `msg`. */
export function shapeProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue!.path.map(String).join('.') || 'body';
  return `${field}: ${issue!.message}`;
}
