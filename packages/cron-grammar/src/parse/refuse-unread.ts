import { MAX_CHARACTERS } from '../value/cron-errors.js';
import type { Fault } from './fault.js';

/** The fault of a value that is not a text or is too long to be read; null when it may be read. */
export function refuseUnread(text: unknown): Fault | null {
  if (typeof text !== 'string') {
    return {
      field: 'expression',
      reason: `must be a string, got ${text === null ? 'null' : typeof text}`,
      start: 0,
      end: 0,
    };
  }
  if (text.length <= MAX_CHARACTERS) return null;
  return {
    field: 'expression',
    reason: `is too long: ${text.length} characters, at most 65,536 are read`,
    start: MAX_CHARACTERS,
    end: text.length,
  };
}
