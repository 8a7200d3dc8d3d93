import { ClockInputError, type EpochMs } from '../clock.js';

const MILLION = 1_000_000;

/** Wall time as a function of elapsed time: a line that may be too steep or too flat (drift) and may be broken (steps). */
export class WallTime {
  #wallBase: EpochMs;
  #elapsedBase = 0;
  readonly #driftPpm: number;

  constructor(now: EpochMs, driftPpm: number) {
    // At half or double speed any loop shows what it does wrong; more would only bring rounding into the picture.
    if (!Number.isInteger(driftPpm) || Math.abs(driftPpm) > MILLION / 2) {
      throw new ClockInputError(`driftPpm must be an integer from -500000 to 500000, got ${String(driftPpm)}`, {
        field: 'driftPpm',
        value: driftPpm,
      });
    }
    this.#wallBase = now;
    this.#driftPpm = driftPpm;
  }

  at(elapsedMs: number): EpochMs {
    const passed = elapsedMs - this.#elapsedBase;
    return this.#wallBase + passed + Math.floor((passed * this.#driftPpm) / MILLION);
  }

  /** The first elapsed millisecond, not before the last step, at which the wall clock shows `wall` or later. */
  elapsedAt(wall: EpochMs): number {
    const missing = wall - this.#wallBase;
    if (missing <= 0) return this.#elapsedBase;
    if (this.#driftPpm === 0 || missing === Number.POSITIVE_INFINITY) return this.#elapsedBase + missing;
    let elapsed = this.#elapsedBase + Math.ceil((missing * MILLION) / (MILLION + this.#driftPpm));
    // The quotient is off by a rounding at most, so both walks are a step or two.
    while (this.at(elapsed) < wall) elapsed += 1;
    while (elapsed > this.#elapsedBase && this.at(elapsed - 1) >= wall) elapsed -= 1;
    return elapsed;
  }

  /** From `elapsedMs` on the wall clock shows `wall` and continues from there. */
  step(elapsedMs: number, wall: EpochMs): void {
    this.#elapsedBase = elapsedMs;
    this.#wallBase = wall;
  }
}

/**
 * An instant given as epoch milliseconds or ISO text. Text without an offset is read as UTC, never as the host's zone.
 * Throws `ClockInputError` for anything else.
 */
export function toEpochMs(field: string, value: EpochMs | string): EpochMs {
  const ms = typeof value === 'string' ? parseIso(value) : value;
  if (Number.isSafeInteger(ms)) return ms;
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new ClockInputError(
    `${field} must be whole milliseconds since 1970 or ISO text such as "2026-03-29T01:00:00Z", got ${shown}`,
    { field, value },
  );
}

function parseIso(text: string): number {
  if (!/^[+-]?\d{4,6}-\d{2}-\d{2}/.test(text)) return Number.NaN;
  const hasTime = text.includes('T') || text.includes(' ');
  return Date.parse(hasTime && !/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text);
}
