import { badOption } from '../model/errors.js';
import type { RunProgress } from '../model/run.js';

const MAX_NOTE_LENGTH = 1_000;

/** Checks a handler's progress report. Throws 'bad-option'. */
export function checkProgress(fraction: unknown, note: unknown = ''): RunProgress {
  const isFraction = fraction === null || (typeof fraction === 'number' && fraction >= 0 && fraction <= 1);
  if (!isFraction) throw badOption('fraction', fraction, 'a number from 0 to 1, or null');
  if (typeof note !== 'string') throw badOption('note', note, 'a text');
  return { fraction: fraction as number | null, note: note.slice(0, MAX_NOTE_LENGTH) };
}
