import { z } from 'zod';
import { badOption } from '../model/errors.js';

/** Executor groups in a query. */
export const groupsText = z.string().max(10_000).optional();

/** The names in a JSON array: a name may contain any character. */
export function groupNames(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    throw badOption('groups', text, 'a JSON array of names');
  }
}
