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
  let isOver = false;
  let onOver: AbortController | undefined;
  const end = () => {
    isOver = true;
    onOver?.abort();
  };
  const context = new HandlerContext(assignment, (line) => {
    if (!isOver) around.log(line);
  });
  const finish = (outcome: Outcome) => {
    if (isOver) return;
    end();
    around.ended(outcome);
  };
  void callHandler(handler, context).then(finish);
  const limit = assignment.timeoutMs;
  if (limit !== null) {
    onOver = new AbortController();
    around.clock.sleepFor(limit, { signal: onOver.signal }).then(
      () => {
        const message = `Timed out after ${limit} ms`;
        context.abort(message, 'TimeoutError');
        finish(failure(message, TIMEOUT));
      },
      () => {},
    );
  }
  return {
    abort(message) {
      end();
      context.abort(message, 'AbortError');
    },
  };
}

/** What a handler sees. Its signal is made when it is first asked for: most handlers never do, and it costs more than they do. */
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
  readonly log: (line: string) => void;
  #aborting: AbortController | undefined;
  #reason: DOMException | undefined;

  constructor(assignment: Assignment, log: (line: string) => void) {
    this.jobId = assignment.jobId;
    this.runId = assignment.runId;
    this.fireId = assignment.fireId;
    this.params = assignment.params;
    this.scheduleTime = assignment.scheduleTime;
    this.triggerType = assignment.triggerType;
    this.shardIndex = assignment.shardIndex;
    this.shardTotal = assignment.shardTotal;
    this.attempt = assignment.attempt;
    this.log = (line) => log(String(line));
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

async function callHandler(handler: Handler, context: RunContext): Promise<Outcome> {
  try {
    const result = await handler(context);
    return { state: 'succeeded', code: SUCCESS, message: typeof result === 'string' ? cut(result) : null };
  } catch (error) {
    return failure(cut(error instanceof Error ? error.message : String(error)));
  }
}

function cut(message: string): string {
  return message.slice(0, LONGEST_MESSAGE);
}
