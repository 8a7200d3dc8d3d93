import type { TouchedKeys } from '../check/touched-keys.js';
import type { World } from '../check/world.js';
import { failed, type Outcome, succeeded } from '../waves/wave-task.js';
import { SpeculativeRun } from './speculative-run.js';

/** A rewrite that is under way. */
interface Attempt<R> {
  readonly run: SpeculativeRun;
  /** Undefined while it runs. */
  outcome: Outcome<R> | undefined;
  /** It has read what an earlier rewrite has changed since. */
  stale: boolean;
  readonly isRepeat: boolean;
  /** It returned a promise, so that others run while it does. */
  isAsync: boolean;
}

/** The outcomes of all rewrites, in order. */
export interface OptimisticOutcome<R> {
  readonly results: readonly R[];
  readonly touched: readonly TouchedKeys[];
  readonly repeats: number;
}

/**
 * Runs rewrites 0, 1, 2, ... a few at a time and settles them in this order. A stale attempt is repeated once as soon as it has ended
 * and otherwise when its turn has come: then nothing before it is open, and it cannot become stale again.
 */
export class OptimisticQueue<R> {
  private readonly attempts: (Attempt<R> | undefined)[] = [];
  private readonly results: R[] = [];
  private readonly touched: TouchedKeys[] = [];
  /** The first rewrite that is not settled. */
  private turn = 0;
  private started = 0;
  private repeats = 0;
  private running = 0;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly count: number,
    private readonly world: World,
    private readonly concurrency: number,
    private readonly execute: (index: number, world: World) => R | Promise<R>,
  ) {}

  run(): Promise<OptimisticOutcome<R>> {
    return new Promise((resolve, reject) => {
      this.advance(() => {
        if (this.failure !== undefined) reject(this.failure.error);
        else resolve({ results: this.results, touched: this.touched, repeats: this.repeats });
      });
    });
  }

  /** Settles and starts what can be; calls `finished` when nothing is left, neither to do nor running. */
  private advance(finished: () => void): void {
    while (this.failure === undefined && this.turn < this.count) {
      while (this.started < this.count && this.started < this.turn + this.concurrency) {
        this.start(this.started++, false, finished);
      }
      const attempt = this.attempts[this.turn]!;
      if (attempt.outcome === undefined) return;
      if (attempt.stale || attempt.run.needsTurn) this.repeat(this.turn, finished);
      else this.settle(attempt, finished);
    }
    if (this.running === 0) finished();
  }

  private start(index: number, isRepeat: boolean, finished: () => void): void {
    const run = new SpeculativeRun(this.world, isRepeat && index === this.turn);
    const attempt: Attempt<R> = { run, outcome: undefined, stale: false, isRepeat, isAsync: false };
    this.attempts[index] = attempt;
    try {
      const value = this.execute(index, run.view());
      if (typeof (value as Promise<R> | undefined)?.then !== 'function') {
        attempt.outcome = succeeded(value as R);
        return;
      }
      this.running += 1;
      attempt.isAsync = true;
      Promise.resolve(value)
        .then(succeeded, failed)
        .then((outcome) => {
          this.running -= 1;
          attempt.outcome = outcome;
          this.repeatEarly(index, attempt, finished);
          this.advance(finished);
        });
    } catch (error) {
      attempt.outcome = failed(error);
    }
  }

  private repeat(index: number, finished: () => void): void {
    this.repeats += 1;
    this.start(index, true, finished);
  }

  /**
   * Repeats a stale attempt that has ended before its turn, if others run meanwhile. The second repetition waits for its turn, so that a
   * rewrite whose reads change all the time does not run over and over.
   */
  private repeatEarly(index: number, attempt: Attempt<R>, finished: () => void): void {
    const { outcome, stale, isRepeat, isAsync, run } = attempt;
    if (!stale || outcome === undefined || isRepeat || !isAsync || run.needsTurn || this.failure !== undefined) return;
    this.repeat(index, finished);
  }

  private settle(attempt: Attempt<R>, finished: () => void): void {
    const { run, outcome } = attempt;
    try {
      run.apply();
    } catch (error) {
      this.failure = { error };
      return;
    }
    if (outcome?.ok !== true) {
      this.failure = { error: outcome?.error };
      return;
    }
    this.results.push(outcome.value);
    this.touched.push(run.touched);
    this.attempts[this.turn] = undefined;
    this.turn += 1;
    for (let index = this.turn; index < this.started; index++) {
      const other = this.attempts[index]!;
      if (other.stale || !other.run.reads.meets(run.changed)) continue;
      other.stale = true;
      this.repeatEarly(index, other, finished);
    }
  }
}
