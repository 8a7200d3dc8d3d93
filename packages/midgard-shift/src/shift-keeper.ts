import {
  type Clock,
  createLifecycle,
  createSupervisedLoop,
  HoraeError,
  type NextPass,
  type Random,
  systemRandom,
} from '@horae/clock-store';
import { answerWithin } from './answer-within.js';
import type { ChainView } from './chain-view.js';
import { decideKeeperStep, isSame, type KeeperStep, type PendingSubmission } from './decide-keeper-step.js';
import { checkParameters, type ProtocolParameters } from './protocol-parameters.js';
import { checkedKey, type PubKeyHash } from './pub-key-hash.js';
import type { Violation } from './violation.js';

/** Options of `startShiftKeeper`. */
export interface ShiftKeeperOptions {
  readonly clock: Clock;
  readonly chain: ChainView;
  /** Whose shifts are taken. */
  readonly operator: PubKeyHash;
  readonly parameters: ProtocolParameters;
  /** Spreads the waits after failures. Default: the system's randomness. */
  readonly random?: Random;
  /** Told of every call that failed, was not answered or was refused; the keeper goes on by itself. */
  onFailure?(error: unknown): void;
}

/** A running keeper; `await using` stops it. */
export interface ShiftKeeper extends AsyncDisposable {
  /** Resolves when the keeper does nothing any more. Twice is fine. What is under way at the chain is not taken back. */
  stop(): Promise<void>;
}

/** The chain refused what a keeper handed in: most often someone else was faster. */
export class SubmissionRefusedError extends HoraeError<{ violations: readonly Violation[] }> {
  readonly code = 'submission-refused';
}

/**
 * Takes the operator's shifts, from now on: at the start of each it submits the signed transition, after unsigned ones for shifts before
 * it that nobody took. Goes on through failures of the chain view, lost answers, refusals and rollbacks; never hands in a second
 * transaction while the first may still be included. Does not activate registrants: while one blocks a new cycle it waits.
 */
export function startShiftKeeper(options: ShiftKeeperOptions): ShiftKeeper {
  checkParameters(options.parameters);
  checkedKey('operator', options.operator);
  const { clock, random = systemRandom() } = options;
  const pace = paceOf(options.parameters.shiftDurationMs);
  const keeper = new Keeper(options, pace);
  const loop = createSupervisedLoop({
    clock,
    random,
    backoff: pace.backoff,
    pass: (signal) => keeper.pass(signal),
    onFailure: (error) => options.onFailure?.(error),
  });
  let running: Promise<void> = Promise.resolve();
  const lifecycle = createLifecycle({
    start(signal) {
      running = loop.run(signal);
    },
    stop: () => running,
  });
  void lifecycle.start();
  return { stop: () => lifecycle.stop(), [Symbol.asyncDispose]: () => lifecycle.stop() };
}

type Pace = ReturnType<typeof paceOf>;

/** All waits follow the length of a shift, within what suits a network. */
function paceOf(shiftDurationMs: number) {
  const part = (divisor: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.ceil(shiftDurationMs / divisor)));
  return {
    /** Between two looks at the state while nothing is due. */
    pollMs: part(10, 10, 30_000),
    /** Between two looks while a transaction is under way. */
    pendingPollMs: part(100, 10, 5_000),
    /** How long a transaction stays valid. */
    patienceMs: Math.ceil(shiftDurationMs / 10),
    answerMs: part(2, 5_000, 30_000),
    backoff: { firstMs: part(100, 10, 1_000), longestMs: part(10, 100, 30_000) },
  };
}

class Keeper {
  readonly #options: ShiftKeeperOptions;
  readonly #pace: Pace;
  #pending: PendingSubmission | null = null;

  constructor(options: ShiftKeeperOptions, pace: Pace) {
    this.#options = options;
    this.#pace = pace;
  }

  async pass(signal: AbortSignal): Promise<NextPass> {
    const { clock, chain, operator, parameters } = this.#options;
    const { answerMs, patienceMs } = this.#pace;
    const state = await answerWithin(clock, answerMs, signal, 'state()', () => chain.state());
    // Spent for good, by this transaction or another; should a rollback bring the datum back, it is a new beginning.
    if (this.#pending !== null && !isSame(this.#pending.spends, state.scheduler)) this.#pending = null;
    const now = clock.now();
    const step = decideKeeperStep({ state, now, operator, parameters, patienceMs, pending: this.#pending });
    if (step.kind === 'wait') return this.#nextPass(step, now);
    await this.#submit(step, signal);
    return { afterMs: 0 };
  }

  async #submit(step: Extract<KeeperStep, { kind: 'submit' }>, signal: AbortSignal): Promise<void> {
    const { clock, chain } = this.#options;
    const { spends, transaction } = step;
    this.#pending = { spends, transaction, fate: 'unknown' };
    const submit = () => chain.submit(transaction);
    const verdict = await answerWithin(clock, this.#pace.answerMs, signal, 'submit()', submit);
    if (verdict.accepted) {
      this.#pending = { spends, transaction, fate: 'accepted' };
      return;
    }
    this.#pending = null;
    const rules = verdict.violations.map(({ rule }) => rule).join(', ');
    throw new SubmissionRefusedError(`The chain refused the ${transaction.redeemer}: ${rules}`, {
      violations: verdict.violations,
    });
  }

  #nextPass({ until, isPending }: Extract<KeeperStep, { kind: 'wait' }>, now: number): NextPass {
    const pollMs = isPending ? this.#pace.pendingPollMs : this.#pace.pollMs;
    return until !== null && until - now <= pollMs ? { at: until } : { afterMs: pollMs };
  }
}
