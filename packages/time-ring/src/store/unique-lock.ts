import { createHash } from 'node:crypto';

/** What stands for a unique key in the database's index: every text, however long and of whatever characters, is told from every other. */
export function uniqueLock(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}
