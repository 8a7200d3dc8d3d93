import { type Clock, ClockInputError, checkedTime, type EpochMs, type IdleSleepOptions } from '../clock.js';
import { LullSupply } from '../system-clock.js';
import { type ClockEvent, type IdleSleeper, IdleSleepers } from './idle-sleepers.js';
import { isAtRest, untilQuiet } from './settle.js';
import { isBefore, type Sleeper, SleeperHeap } from './sleeper-heap.js';
import { toEpochMs, WallTime } from './wall-time.js';

/** Options of `createManualClock`. */
export interface ManualClockOptions {
  /** Where the wall clock starts: epoch milliseconds or ISO text (without an offset: UTC). */
  now: EpochMs | string;
  /** Time passes by itself to the next sleeper whenever nothing else happens. */
  autoAdvance?: boolean;
  /** How many parts per million the wall clock runs fast (negative: slow) beside monotonic time. */
  driftPpm?: number;
  /** Steps of the wall clock that happen by themselves, `afterMs` of monotonic time after the start, ahead of sleepers. */
  steps?: readonly { readonly afterMs: number; readonly byMs: number }[];
}

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /**
   * Lets time pass until the wall clock shows `at`, waking sleepers one by one in (time, sequence) order; a sleeper sees
   * `now()` at its own time, and promises settle before the next one wakes. Throws `ClockInputError` for the past.
   */
  advanceTo(at: EpochMs | string): Promise<void>;
  /** Lets `ms` of monotonic time pass, waking like `advanceTo`. */
  advanceBy(ms: number): Promise<void>;
  /**
   * Steps the wall clock, forwards or backwards, without time passing: due `sleepUntil` appointments wake, `sleepFor`
   * sleepers notice nothing.
   */
  jumpTo(at: EpochMs | string): Promise<void>;
  /** Resolves when nothing more happens without time passing: promises, file requests and database statements included. */
  settle(): Promise<void>;
  /** How many sleeps are pending. */
  readonly sleepers: number;
}

const QUIET_TURNS_BETWEEN_WAKES = 2;
const QUIET_TURNS_AT_THE_ENDS = 4;

/** A clock for tests. Concurrent moves happen one after the other. */
export function createManualClock(options: ManualClockOptions): ManualClock {
  return new StandingClock(options);
}

class StandingClock implements ManualClock {
  readonly #wall: WallTime;
  readonly #appointments = new SleeperHeap();
  readonly #naps = new SleeperHeap();
  readonly #idle = new IdleSleepers();
  readonly #mayIdle: boolean;
  readonly #steps: { afterMs: number; byMs: number }[];
  readonly #autoAdvance: boolean;
  #elapsed = 0;
  #sequence = 0;
  #sleepActivity = 0;
  #reads = 0;
  #moves: Promise<void> = Promise.resolve();
  #isAutoMoveQueued = false;

  constructor(options: ManualClockOptions) {
    this.#wall = new WallTime(toEpochMs('now', options.now), options.driftPpm ?? 0);
    this.#autoAdvance = options.autoAdvance ?? false;
    this.#steps = [...(options.steps ?? [])].sort((a, b) => a.afterMs - b.afterMs);
    // Where time passes by itself nothing marks what was done in between, and on a clock with drift or steps polls are not evenly apart.
    this.#mayIdle = !this.#autoAdvance && this.#steps.length === 0 && (options.driftPpm ?? 0) === 0;
    for (const step of this.#steps) {
      wholeMs('steps.afterMs', step.afterMs, 0);
      wholeMs('steps.byMs', step.byMs, Number.MIN_SAFE_INTEGER);
    }
  }

  get sleepers(): number {
    return this.#appointments.size + this.#naps.size + this.#idle.size;
  }

  now(): EpochMs {
    this.#reads += 1;
    return this.#wall.at(this.#elapsed);
  }

  monotonicMs(): number {
    this.#reads += 1;
    return this.#elapsed;
  }

  sleepUntil(at: EpochMs, options?: { signal?: AbortSignal }): Promise<void> {
    return this.#sleep(this.#appointments, 'at', at, this.#wall.at(this.#elapsed), 0, options?.signal);
  }

  sleepFor(ms: number, options?: { signal?: AbortSignal }): Promise<void> {
    return this.#sleep(this.#naps, 'ms', ms, 0, this.#elapsed, options?.signal);
  }

  sleepIdle(ms: number, { everyMs, idleMs, signal }: IdleSleepOptions): Promise<void> {
    wholeMs('everyMs', everyMs, 1);
    const at = this.#elapsed + Math.ceil(checkedTime('ms', ms));
    const idleUntil = this.#elapsed + checkedTime('idleMs', idleMs);
    if (!this.#mayIdle || ms <= 0 || idleUntil <= at) return this.sleepFor(ms, signal && { signal });
    return new Promise((resolve, reject) => {
      this.#sleepActivity += 1;
      signal?.throwIfAborted();
      const sequence = this.#sequence++;
      const make = (wake: () => void): IdleSleeper => ({ at, everyMs, idleUntil, isDisturbed: false, sequence, wake });
      this.#enter(this.#idle, make, signal, resolve, reject);
    });
  }

  async advanceTo(at: EpochMs | string): Promise<void> {
    const target = toEpochMs('at', at);
    await this.#move(async () => {
      const now = this.#wall.at(this.#elapsed);
      if (target < now) {
        throw new ClockInputError(`advanceTo cannot go back from ${iso(now)} to ${iso(target)}: use jumpTo`, {
          field: 'at',
          value: at,
        });
      }
      await this.#travel(() => Math.max(this.#elapsed, this.#wall.elapsedAt(target)));
    });
  }

  async advanceBy(ms: number): Promise<void> {
    wholeMs('ms', ms, 0);
    await this.#move(() => {
      const end = this.#elapsed + ms;
      return this.#travel(() => end);
    });
  }

  async jumpTo(at: EpochMs | string): Promise<void> {
    const target = toEpochMs('at', at);
    await this.#move(() => {
      this.#wall.step(this.#elapsed, target);
      const end = this.#elapsed;
      return this.#travel(() => end);
    });
  }

  settle(): Promise<void> {
    return untilQuiet(() => this.#sleepActivity + this.#reads, QUIET_TURNS_AT_THE_ENDS);
  }

  /** Waits until `value`, which is due at `dueAt` already, comes up in `heap` whose times start at `origin`. */
  #sleep(
    heap: SleeperHeap,
    field: string,
    value: number,
    dueAt: number,
    origin: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sleepActivity += 1;
      checkedTime(field, value);
      signal?.throwIfAborted();
      if (value <= dueAt) {
        resolve();
        return;
      }
      const at = origin + Math.ceil(value);
      const sequence = this.#sequence++;
      this.#enter(heap, (wake) => ({ at, sequence, index: -1, wake }), signal, resolve, reject);
      if (this.#autoAdvance) this.#queueAutoMove();
    });
  }

  /** Adds a sleeper to its heap, to be removed when the signal is aborted. */
  #enter<S>(
    sleepers: { add(sleeper: S): void; remove(sleeper: S): void },
    make: (wake: () => void) => S,
    signal: AbortSignal | undefined,
    resolve: () => void,
    reject: (reason: unknown) => void,
  ): void {
    if (signal === undefined) {
      sleepers.add(make(resolve));
      return;
    }
    const onAbort = () => {
      this.#sleepActivity += 1;
      sleepers.remove(sleeper);
      reject(signal.reason);
    };
    const sleeper = make(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    sleepers.add(sleeper);
    signal.addEventListener('abort', onAbort, { once: true });
  }

  /** Runs `travel` after the moves already requested, and settles before and after it. */
  #move(travel: () => Promise<void>): Promise<void> {
    const move = this.#moves.then(async () => {
      await this.settle();
      // The code that moves the clock may have done anything before.
      this.#idle.disturb();
      await travel();
      await this.settle();
    });
    this.#moves = move.catch(() => {});
    return move;
  }

  async #travel(end: () => number): Promise<void> {
    const sleepActivity = () => this.#sleepActivity;
    const lulls = new LullSupply();
    for (;;) {
      const endElapsed = end();
      const event = this.#nextEvent(endElapsed);
      if (event === undefined || event.at > endElapsed) {
        this.#elapsed = endElapsed;
        return;
      }
      this.#elapsed = event.at;
      this.#idle.disturb();
      event.happen();
      await lulls.next();
      if (!isAtRest(lulls.queued)) await untilQuiet(sleepActivity, QUIET_TURNS_BETWEEN_WAKES);
    }
  }

  /** The next event of a move that ends at `end`. */
  #nextEvent(end: number): ClockEvent | undefined {
    const event = this.#nextStepOrSleeper();
    const idle = this.#idle.next({ event, end });
    if (idle === undefined || (event !== undefined && !isBefore(idle, event))) return event;
    return idle;
  }

  #nextStepOrSleeper(): ClockEvent | undefined {
    const appointment = this.#appointments.first();
    const nap = this.#naps.first();
    const appointmentAt = appointment ? Math.max(this.#elapsed, this.#wall.elapsedAt(appointment.at)) : Infinity;
    const napAt = nap ? nap.at : Infinity;
    const step = this.#steps[0];
    if (step !== undefined && step.afterMs <= Math.min(appointmentAt, napAt)) {
      return { at: step.afterMs, sequence: -1, happen: () => this.#stepNow(step.byMs) };
    }
    if (appointmentAt === Infinity && napAt === Infinity) return undefined;
    const isNapFirst =
      napAt < appointmentAt || (napAt === appointmentAt && nap!.sequence < (appointment as Sleeper).sequence);
    const [heap, sleeper] = isNapFirst ? [this.#naps, nap!] : [this.#appointments, appointment!];
    return {
      at: Math.min(napAt, appointmentAt),
      sequence: sleeper.sequence,
      happen() {
        heap.remove(sleeper);
        sleeper.wake();
      },
    };
  }

  #stepNow(byMs: number): void {
    this.#steps.shift();
    this.#wall.step(this.#elapsed, this.#wall.at(this.#elapsed) + byMs);
  }

  /** One wake at a time, so that moves by the test itself can happen in between. */
  #queueAutoMove(): void {
    if (this.#isAutoMoveQueued) return;
    this.#isAutoMoveQueued = true;
    this.#moves = this.#moves.then(async () => {
      // A program that uses the clock without end is not an error here: time simply passes.
      await this.settle().catch(() => {});
      this.#isAutoMoveQueued = false;
      const event = this.#nextStepOrSleeper();
      if (event === undefined) return;
      this.#elapsed = event.at;
      event.happen();
      if (this.sleepers > 0) this.#queueAutoMove();
    });
  }
}

function wholeMs(field: string, value: number, atLeast: number): void {
  if (Number.isSafeInteger(value) && value >= atLeast) return;
  const range = atLeast === 0 ? 'a whole number of milliseconds, 0 or more' : 'a whole number of milliseconds';
  throw new ClockInputError(`${field} must be ${range}, got ${String(value)}`, { field, value });
}

function iso(at: EpochMs): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}
