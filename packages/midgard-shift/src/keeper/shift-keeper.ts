import { createLifecycle, createSupervisedLoop, HoraeError, type NextPass, systemRandom } from '@horae/clock-store';
import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import type { SchedulerDatum } from '../state/midgard-state.js';
import type { PubKeyHash } from '../state/pub-key-hash.js';
import type { Verdict, Violation } from '../state/violation.js';
import { answerWithin } from './answer-within.js';
import { decideKeeperStep, isSame, type KeeperStep, type PendingSubmission } from './decide-keeper-step.js';
import { type KeeperPace, paceOf, type ShiftKeeperOptions } from './keeper-options.js';
import { type KeeperMetrics, KeeperRecord } from './keeper-record.js';

/** A running keeper; `await using` stops it. */
export interface ShiftKeeper extends AsyncDisposable {
  /** Resolves when the keeper does nothing any more. May be called twice. Transactions under way are not withdrawn. */
  stop(): Promise<void>;
  /** The counts so far; they stay readable after `stop`. */
  metrics(): KeeperMetrics;
}

/** The chain refused a keeper's transaction: most often another submitter was faster. */
export class SubmissionRefusedError extends HoraeError<{ violations: readonly Violation[] }> {
  readonly code = 'submission-refused';
}

/**
 * Takes the operator's shifts, from now on: at the start of each it submits the transition, after unsigned ones for earlier shifts that
 * were not taken. In edition `2025` the operator signs it; in `2026-05` it is unsigned, a moment after the start. Continues after failures
 * of the chain view, lost answers, refusals and rollbacks; never submits a second transaction while the first may still be included. While
 * a registrant blocks a new cycle it waits, unless `activateRegistrants` is set.
 */
export function startShiftKeeper(options: ShiftKeeperOptions): ShiftKeeper {
  const { clock, random = systemRandom() } = options;
  const pace = paceOf(options);
  const record = new KeeperRecord(options);
  const keeper = new Keeper(options, pace, record);
  const loop = createSupervisedLoop({
    clock,
    random,
    backoff: pace.backoff,
    pass: (signal) => keeper.pass(signal),
    onFailure(error) {
      record.add(error instanceof SubmissionRefusedError ? 'refused' : 'failed', clock.now());
      record.report(error);
    },
  });
  let running: Promise<void> = Promise.resolve();
  const lifecycle = createLifecycle({
    start(signal) {
      running = loop.run(signal);
    },
    stop: () => running,
  });
  void lifecycle.start();
  const stop = () => lifecycle.stop();
  return { stop, metrics: () => record.metrics(), [Symbol.asyncDispose]: stop };
}

class Keeper {
  readonly #options: ShiftKeeperOptions;
  readonly #pace: KeeperPace;
  readonly #record: KeeperRecord;
  #pending: PendingSubmission | null = null;
  #lastSeen: SchedulerDatum | null = null;
  readonly #activations: Map<PubKeyHash, number> | null;

  constructor(options: ShiftKeeperOptions, pace: KeeperPace, record: KeeperRecord) {
    this.#options = options;
    this.#pace = pace;
    this.#record = record;
    this.#activations = options.activateRegistrants === true ? new Map() : null;
  }

  async pass(signal: AbortSignal): Promise<NextPass> {
    const { clock, chain, operator, parameters } = this.#options;
    const state = await this.#call(signal, 'state()', () => chain.state());
    const now = clock.now();
    this.#record.add('polled', now);
    this.#notice(state.scheduler, now);
    const { window } = this.#pace;
    const [pending, activations] = [this.#pending, this.#activations];
    const step = decideKeeperStep({ state, now, operator, parameters, window, pending, activations });
    if (step.kind === 'wait') return this.#nextPass(step, now);
    if (step.kind === 'submit') await this.#submit(step, signal);
    else await this.#activate(step.request, signal);
    return { afterMs: 0 };
  }

  /** Compares the datum with the one before: whether the pending transaction is included, and whether the chain went back. */
  #notice(scheduler: SchedulerDatum | null, now: number): void {
    const [pending, last] = [this.#pending, this.#lastSeen];
    if (scheduler !== null && last !== null && scheduler.shiftStart < last.shiftStart)
      this.#record.add('rolled-back', now);
    // Spent for good, by this transaction or another; should a rollback bring the datum back, it is a new beginning.
    if (pending !== null && !isSame(pending.spends, scheduler)) {
      this.#pending = null;
      if (isSame(pending.transaction.schedulerOutput!, scheduler)) this.#record.add('included', now);
    }
    this.#lastSeen = scheduler;
    for (const [operator, to] of this.#activations ?? []) if (to <= now) this.#activations?.delete(operator);
  }

  async #submit(step: Extract<KeeperStep, { kind: 'submit' }>, signal: AbortSignal): Promise<void> {
    const { clock, chain } = this.#options;
    const { spends, transaction } = step;
    this.#pending = { spends, transaction, fate: 'unknown' };
    this.#record.add('submitted', clock.now());
    const verdict = await this.#call(signal, 'submit()', () => chain.submit(transaction));
    this.#pending = verdict.accepted ? { spends, transaction, fate: 'accepted' } : null;
    demandAccepted(verdict, transaction.redeemer);
  }

  async #activate(request: LifecycleRequest, signal: AbortSignal): Promise<void> {
    const { clock, chain } = this.#options;
    const verdict = await this.#call(signal, 'activate()', () => chain.activate!(request));
    demandAccepted(verdict, 'activation');
    this.#activations?.set(request.operator, request.validity.to as number);
    this.#record.add('activated', clock.now());
  }

  #call<Answer>(signal: AbortSignal, name: string, ask: () => Promise<Answer>): Promise<Answer> {
    return answerWithin(this.#options.clock, this.#pace.answerMs, signal, name, ask);
  }

  #nextPass({ until, isPending }: Extract<KeeperStep, { kind: 'wait' }>, now: number): NextPass {
    const pollMs = isPending ? this.#pace.pendingPollMs : this.#pace.pollMs;
    return until !== null && until - now <= pollMs ? { at: until } : { afterMs: pollMs };
  }
}

function demandAccepted(verdict: Verdict, what: string): void {
  if (verdict.accepted) return;
  const rules = verdict.violations.map(({ rule }) => rule).join(', ');
  throw new SubmissionRefusedError(`The chain refused the ${what}: ${rules}`, { violations: verdict.violations });
}
