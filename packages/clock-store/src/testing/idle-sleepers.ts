import { isBefore, type Sleeper } from './sleeper-heap.js';

/**
 * A sleeper that polls at `at` and every `everyMs` from there, and expects to find nothing before `idleUntil`. `isDisturbed`: an event has
 * happened since it went to sleep, so its expectation no longer counts.
 */
export interface IdleSleeper extends Omit<Sleeper, 'index'> {
  readonly everyMs: number;
  readonly idleUntil: number;
  isDisturbed: boolean;
}

/** An event that a clock triggers. */
export interface ClockEvent extends Pick<Sleeper, 'at' | 'sequence'> {
  happen(): void;
}

/** The next event of all others, and where the present move ends. */
export interface Horizon {
  readonly event: Pick<ClockEvent, 'at'> | undefined;
  readonly end: number;
}

/** The idle sleepers, which are woken only when needed. */
export class IdleSleepers {
  readonly #sleepers = new Set<IdleSleeper>();

  get size(): number {
    return this.#sleepers.size;
  }

  add(sleeper: IdleSleeper): void {
    this.#sleepers.add(sleeper);
  }

  remove(sleeper: IdleSleeper): void {
    this.#sleepers.delete(sleeper);
  }

  /** An event happens that any of them may have to notice. */
  disturb(): void {
    for (const sleeper of this.#sleepers) sleeper.isDisturbed = true;
  }

  /** The one that wakes next, within this horizon. */
  next(horizon: Horizon): ClockEvent | undefined {
    let first: ClockEvent | undefined;
    for (const sleeper of this.#sleepers) {
      const at = nextLook(sleeper, horizon);
      const { sequence } = sleeper;
      if (first !== undefined && !isBefore({ at, sequence }, first)) continue;
      const happen = () => {
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      };
      first = { at, sequence, happen };
    }
    return first;
  }
}

/**
 * The poll for which `sleeper` is woken. Undisturbed, it is the last one before other code could notice that earlier polls were left out
 * (the next event, the end of the move), and no later than the first from `idleUntil` on.
 */
export function nextLook(
  { at, everyMs, idleUntil, isDisturbed }: Omit<IdleSleeper, 'sequence' | 'wake'>,
  { event, end }: Horizon,
): number {
  if (isDisturbed) return at;
  const limit = Math.min(end, event === undefined ? Number.POSITIVE_INFINITY : event.at - 1);
  const last = at + Math.floor((limit - at) / everyMs) * everyMs;
  const due = at + Math.ceil((idleUntil - at) / everyMs) * everyMs;
  return Math.max(at, Math.min(last, due));
}
