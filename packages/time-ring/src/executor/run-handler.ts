import type { Clock } from '@horae/clock-store';
import type { Handler, RunContext } from '../handler.js';
import { type Assignment, failure, type Outcome, SUCCESS, TIMEOUT } from './assignment.js';

/** A handler at work. */
export interface HandlerRun {
  /** Aborts its signal; its outcome does not count any more. */
  abort(message: string): void;
}

/** What a handler's run needs from around it. */
export interface HandlerSurroundings {
  readonly clock: Clock;
  log(line: string): void;
  /** Called once, never before `startHandler` has returned. */
  ended(outcome: Outcome): void;
}

const LONGEST_MESSAGE = 15_000;

/**
 * Runs a handler under its time limit. At the limit the run is over, whatever the handler still does: a handler that does not listen to
 * its signal must not block its job for ever.
 */
export function startHandler(handler: Handler, assignment: Assignment, around: HandlerSurroundings): HandlerRun {
  const run = new RunningHandler(assignment, around);
  run.start(handler);
  return run;
}

class RunningHandler implements HandlerRun {
  private isOver = false;
  private onOver: AbortController | undefined;
  private readonly context: HandlerContext;

  constructor(
    private readonly assignment: Assignment,
    private readonly around: HandlerSurroundings,
  ) {
    this.context = new HandlerContext(assignment, this);
  }

  start(handler: Handler): void {
    try {
      const result = handler(this.context);
      // What is no promise is heard of a turn later all the same.
      Promise.resolve(result).then(
        (value) => this.finish({ state: 'succeeded', code: SUCCESS, message: messageOf(value) }),
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

  abort(message: string): void {
    this.end();
    this.context.abort(message, 'AbortError');
  }

  private limit(ms: number): void {
    this.onOver = new AbortController();
    this.around.clock.sleepFor(ms, { signal: this.onOver.signal }).then(
      () => {
        const message = `Timed out after ${ms} ms`;
        this.context.abort(message, 'TimeoutError');
        this.finish(failure(message, TIMEOUT));
      },
      () => {},
    );
  }

  private finish(outcome: Outcome): void {
    if (this.isOver) return;
    this.end();
    this.around.ended(outcome);
  }

  private end(): void {
    this.isOver = true;
    this.onOver?.abort();
  }
}

/** What a handler sees. Its signal and its log are made when they are first asked for: most handlers never do. */
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
  readonly #run: { log(line: string): void };
  #log: ((line: string) => void) | undefined;
  #aborting: AbortController | undefined;
  #reason: DOMException | undefined;

  constructor(assignment: Assignment, run: { log(line: string): void }) {
    this.jobId = assignment.jobId;
    this.runId = assignment.runId;
    this.fireId = assignment.fireId;
    this.params = assignment.params;
    this.scheduleTime = assignment.scheduleTime;
    this.triggerType = assignment.triggerType;
    this.shardIndex = assignment.shardIndex;
    this.shardTotal = assignment.shardTotal;
    this.attempt = assignment.attempt;
    this.#run = run;
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

function messageOf(value: unknown): string | null {
  return typeof value === 'string' ? cut(value) : null;
}

function failureOf(error: unknown): Outcome {
  return failure(cut(error instanceof Error ? error.message : String(error)));
}

function cut(message: string): string {
  return message.slice(0, LONGEST_MESSAGE);
}
