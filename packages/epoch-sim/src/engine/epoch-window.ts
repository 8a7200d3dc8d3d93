import { instantMs, isoOfMinute, minuteFrom } from '../interchange/instant.js';
import type { Epoch } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { invalidEpoch, invalidMoment, quote } from '../interchange/sim-errors.js';

/** A checked epoch: its first minute counted from 1970, its length and its slots. */
export interface EpochWindow {
  readonly index: number;
  readonly start: number;
  readonly minutes: number;
  readonly slots: number;
}

/** Throws `InvalidEpoch` unless the epoch is a window of whole minutes with an index >= 0. */
export function epochWindow(epoch: Epoch, options: EpochOptions = {}): EpochWindow {
  const index = epoch?.index ?? 0;
  if (!Number.isInteger(index) || index < 0) fail('epoch.index', index, 'give a whole number >= 0');
  const start = wholeMinute('epoch.start_at', epoch?.start_at);
  const end = endMinute(start, epoch?.end_at);
  if (end <= start) fail('epoch.end_at', epoch.end_at, `give an instant after the start ${quote(epoch.start_at)}`);
  const slots = options.slots ?? Math.ceil((end - start) / 60);
  if (!Number.isInteger(slots) || slots < 1) fail('slots', slots, 'give a whole number >= 1');
  return { index, start, minutes: end - start, slots };
}

function wholeMinute(field: string, text: unknown): number {
  const ms = instantMs(text);
  if (ms === null) fail(field, text, 'give ISO 8601 with date and time, such as 2025-07-01T08:00:00Z');
  if (ms % 60_000 !== 0) fail(field, text, 'give a whole minute');
  return ms / 60_000;
}

function endMinute(start: number, moment: unknown): number {
  if (typeof moment !== 'number') return wholeMinute('epoch.end_at', moment);
  const end = minuteFrom(start, moment);
  if (end === null) throw invalidMoment('epoch.end_at', moment, 'give a whole number of minutes from the start');
  return end;
}

function fail(field: string, value: unknown, remedy: string): never {
  throw invalidEpoch(field, value, remedy);
}

/** The window `count` lengths after `window`. */
export function laterWindow(window: EpochWindow, count: number): EpochWindow {
  return { ...window, index: window.index + count, start: window.start + count * window.minutes };
}

/** The epoch as it is written in documents. */
export function epochOf(window: EpochWindow): { index: number; start_at: string; end_at: string } {
  return {
    index: window.index,
    start_at: isoOfMinute(window.start),
    end_at: isoOfMinute(window.start + window.minutes),
  };
}

/** The slot of minute `t`: the hour, and the last slot for everything after it. */
export function slotOf(window: EpochWindow, t: number): number {
  return Math.min(Math.floor(t / 60), window.slots - 1);
}
