import type { Clock, EpochMs } from '@horae/clock-store';
import { CommandInputError } from '../frame/command-errors.js';

/**
 * An instant as people type it: `now`, ISO 8601 (a time without an offset is local time of the zone), or epoch milliseconds.
 * Without a text it is now.
 */
export async function instantOf(
  option: string,
  text: string | undefined,
  { clock, zone }: { clock: Clock; zone: string },
): Promise<EpochMs> {
  if (text === undefined || text === 'now') return clock.now();
  if (/^-?\d{6,16}$/.test(text)) return Number(text);
  // Loaded here, because most command lines have no instant and loading luxon takes longer than the rest of the command.
  const { DateTime } = await import('luxon');
  const at = DateTime.fromISO(text, { zone });
  if (at.isValid) return at.toMillis();
  throw new CommandInputError(`${option} is no instant: "${text}"`, {
    hint: 'write 2026-03-29, 2026-03-29T02:30, 2026-03-29T02:30:00Z, epoch milliseconds, or now',
    option,
    value: text,
  });
}
