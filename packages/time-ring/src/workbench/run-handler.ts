import type { Clock } from '@horae/clock-store';
import { type Handler, type HandlerRing, isRetryLater, isUnrecoverable, type RunContext } from '../model/handler.js';
import type { RunProgress } from '../model/run.js';
import { type Assignment, failure, type Outcome, TIMEOUT } from './assignment.js';
import { checkProgress } from './check-progress.js';
import { type ExecutorRing, ringOfRun } from './executor-ring.js';
import { cut, errorOf, successOf } from './handler-result.js';
import type { HandlerSpan, RunTracing } from './run-tracing.js';

/** A running handler. */
export interface HandlerRun {
  /** Aborts its signal; its outcome is ignored from then on. */
  abort(message: string): void;
}

/** The dependencies of a handler's run. */
export interface HandlerPorts {
  readonly clock: Clock;
  readonly ring: ExecutorRing;
  log(line: string): void;
  progressed(progress: RunProgress): void;
  /** Called once, never before `startHandler` has returned. */
  ended(outcome: Outcome): void;
  /** Called when the handler has succeeded after its time limit. */
  late(): void;
  /** Null: tracing is off. */
  readonly tracing: RunTracing | null;
}

/**
 * Runs a handler under its time limit. At the limit the run is over, whatever the handler still does: a handler that does not listen to
 * its signal must not block its job for ever.
 */
export function startHandler(handler: Handler, assignment: Assignment, around: HandlerPorts): HandlerRun {
  const run = new RunningHandler(assignment, around);
  run.start(handler);
  return run;
}

class RunningHandler implements HandlerRun {
  private isOver = false;
  private isTimedOut = false;
  private onOver: AbortController | undefined;
  private span: HandlerSpan | null = null;
  private readonly context: HandlerContext;

  constructor(
    private readonly assignment: Assignment,
    private readonly around: HandlerPorts,
  ) {
    this.context = new HandlerContext(assignment, this, around.ring);
  }

  start(handler: Handler): void {
    const { tracing } = this.around;
    if (tracing !== null) this.span = tracing.run(this.assignment);
    try {
      const result = this.span === null ? handler(this.context) : this.span.within(() => handler(this.context));
      // A value that is not a promise is also handled one turn later.
      Promise.resolve(result).then(
        (value) => this.finish(successOf(value)),
        (error: unknown) => this.finish(failureOf(error)),
      );
    } catch (error) {
      void Promise.resolve().then(() => this.finish(failureOf(error)));
    }
    if (this.assignment.timeoutMs !== null) this.limit(this.assignment.timeoutMs);
  }

  log(line: string): void {
    if (!this.isOver) this.around.log(line);
  }

  progress(progress: RunProgress): void {
    if (!this.isOver) this.around.progressed(progress);
  }

  abort(message: string): void {
    if (!this.isOver) this.span?.end({ state: 'killed', message });
    this.end();
    this.context.abort(message, 'AbortError');
  }

  private limit(ms: number): void {
    this.onOver = new AbortController();
    this.around.clock.sleepFor(ms, { signal: this.onOver.signal }).then(
      () => {
        const message = `Timed out after ${ms} ms`;
        this.context.abort(message, 'TimeoutError');
        this.finish({ ...failure(message, TIMEOUT), error: { name: 'TimeoutError', message, stack: '' } });
        this.isTimedOut = true;
      },
      () => {},
    );
  }

  private finish(outcome: Outcome): void {
    if (this.isOver) {
      if (this.isTimedOut && outcome.state === 'succeeded') this.around.late();
      return;
    }
    this.end();
    this.span?.end(outcome);
    this.around.ended(this.span === null ? outcome : { ...outcome, trace: this.span.trace });
  }

  private end(): void {
    this.isOver = true;
    this.onOver?.abort();
  }
}

/** The context of a handler. Its signal and its log are created on first use: most handlers never use them. */
class HandlerContext implements RunContext {
  readonly jobId: number;
  readonly runId: number;
  readonly fireId: number;
  readonly params: unknown;
  readonly scheduleTime: RunContext['scheduleTime'];
  readonly triggerType: RunContext['triggerType'];
  readonly shardIndex: number;
  readonly shardTotal: number;
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  readonly #executorRing: ExecutorRing;
  #ring: HandlerRing | undefined;
  readonly #assignment: Assignment;
  readonly #run: RunVoice;
  #progress: RunContext['progress'] | undefined;
  #log: ((line: string) => void) | undefined;
  #aborting: AbortController | undefined;
  #reason: DOMException | undefined;

  constructor(assignment: Assignment, run: RunVoice, ring: ExecutorRing) {
    this.jobId = assignment.jobId;
    this.runId = assignment.runId;
    this.fireId = assignment.fireId;
    this.params = assignment.params;
    this.scheduleTime = assignment.scheduleTime;
    this.triggerType = assignment.triggerType;
    this.shardIndex = assignment.shardIndex;
    this.shardTotal = assignment.shardTotal;
    this.attempt = assignment.attempt;
    this.isLastAttempt = assignment.isLastAttempt;
    this.#executorRing = ring;
    this.#assignment = assignment;
    this.#run = run;
  }

  get job(): RunContext['job'] {
    const { jobId, jobKey, jobName } = this.#assignment;
    return { id: jobId, key: jobKey, name: jobName };
  }

  get ring(): HandlerRing {
    this.#ring ??= ringOfRun(this.#executorRing, this.runId);
    return this.#ring;
  }

  get progress(): RunContext['progress'] {
    this.#progress ??= (fraction, note) => this.#run.progress(checkProgress(fraction, note));
    return this.#progress;
  }

  /** Works on its own too, as in `({ log }) => …`. */
  get log(): (line: string) => void {
    this.#log ??= (line) => this.#run.log(String(line));
    return this.#log;
  }

  get signal(): AbortSignal {
    if (this.#aborting === undefined) {
      this.#aborting = new AbortController();
      if (this.#reason !== undefined) this.#aborting.abort(this.#reason);
    }
    return this.#aborting.signal;
  }

  abort(message: string, name: 'AbortError' | 'TimeoutError'): void {
    if (this.#reason !== undefined) return;
    this.#reason = new DOMException(message, name);
    this.#aborting?.abort(this.#reason);
  }
}

/** The outputs of a handler while it runs. */
interface RunVoice {
  log(line: string): void;
  progress(progress: RunProgress): void;
}

function failureOf(error: unknown): Outcome {
  const outcome = { ...failure(cut(error instanceof Error ? error.message : String(error))), error: errorOf(error) };
  if (isRetryLater(error)) return { ...outcome, retryAfterMs: error.ms };
  return isUnrecoverable(error) ? { ...outcome, isFinal: true } : outcome;
}
