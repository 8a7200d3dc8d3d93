import type { Clock } from '../../clock.js';
import { nextTurn, systemClock } from '../../system-clock.js';

const LOOK_EVERY_MS = 100;

interface Watched {
  readonly untilMs: number;
  onOver(): void;
}

/**
 * Notices statements that take longer than they may. One timer for all of them: hundreds of statements per second would otherwise each pay
 * for their own. It uses elapsed time of the machine, whichever clock the database has: a network does not wait for a manual clock.
 */
export class StatementWatch {
  readonly #clock: Clock = systemClock();
  readonly #running = new Set<Watched>();
  readonly #closed = new AbortController();
  #isLooking = false;

  /** Calls `onOver` once if the returned function has not been called within the limit. */
  begin(limitMs: number, onOver: () => void): () => void {
    const watched = { untilMs: this.#clock.monotonicMs() + limitMs, onOver };
    this.#running.add(watched);
    if (!this.#isLooking) void this.#look();
    return () => this.#running.delete(watched);
  }

  /** Leaves no timer behind; nothing is noticed any more. */
  close(): void {
    this.#closed.abort();
    this.#running.clear();
  }

  /** Treats every statement under way as over its limit, and closes. */
  giveUpAll(): void {
    for (const watched of this.#running) watched.onOver();
    this.close();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#running.size > 0 && !this.#closed.signal.aborted) {
      await this.#clock.sleepFor(LOOK_EVERY_MS, { signal: this.#closed.signal }).catch(() => {});
      if (this.#overdue().length === 0) continue;
      // After a stall of this process the answers may have arrived: they are read before anything is given up.
      await nextTurn();
      await nextTurn();
      for (const watched of this.#overdue()) {
        this.#running.delete(watched);
        watched.onOver();
      }
    }
    this.#isLooking = false;
  }

  #overdue(): Watched[] {
    const now = this.#clock.monotonicMs();
    return [...this.#running].filter(({ untilMs }) => untilMs <= now);
  }
}
