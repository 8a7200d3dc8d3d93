import { createHash } from 'node:crypto';

/** The digest that represents a unique key in the database's index: it distinguishes texts of any length and any characters. */
export function uniqueLock(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}
