import type { ServerResponse } from 'node:http';
import type { Clock, EpochMs } from '@horae/clock-store';
import type { WireCall } from '../http/wire-answer.js';
import { executorPaths } from '../wire/dialect.js';
import { parseJobMessage } from '../wire/job-message.js';
import { logPayload, parseLogMessage } from '../wire/log-message.js';
import { accepted, type Reply, refused } from '../wire/reply.js';
import { parseRunMessage, type RunOrder } from '../wire/run-message.js';
import type { RunSlots } from '../workbench/run-slots.js';
import type { ResultQueue } from './result-queue.js';
import type { RunLogFiles } from './run-log-files.js';

export interface ExecutorCallsOptions {
  readonly workbench: RunSlots;
  readonly results: ResultQueue;
  readonly logs: RunLogFiles;
  readonly clock: Clock;
  /** When each run on this executor was fired, which its result and its log refer to. */
  readonly firedAt: Map<number, EpochMs>;
  isStopping(): boolean;
}

/** The five calls of a scheduler to an executor. */
export function executorCalls(options: ExecutorCallsOptions): Readonly<Record<string, WireCall>> {
  const { workbench, results, logs, clock, firedAt, isStopping } = options;

  function run(body: unknown, response: ServerResponse): Reply {
    const order = parseRunMessage(body, clock.now());
    if (typeof order === 'string') return refused(order);
    const { runId } = order.assignment;
    // Delivered again: the run is on this executor, or its result is being sent.
    if (workbench.has(runId) || results.holds(runId)) return accepted();
    if (isStopping()) return { ...refused('The executor stops'), horae: { waitFor: 'executor' } };
    return place(order, response);
  }

  /** The run starts when the answer is sent, so that its result never overtakes it; if the caller has disconnected, it does not start. */
  function place({ assignment, logDateTime }: RunOrder, response: ServerResponse): Reply {
    const placement = workbench.place(assignment);
    if (placement.kind === 'refused') {
      const { why, outcome } = placement;
      const horae = why === 'discarded' ? ({ isDiscarded: true } as const) : { waitFor: why };
      return { ...refused(outcome.message ?? 'Refused'), horae };
    }
    firedAt.set(assignment.runId, logDateTime);
    let isDecided = false;
    const decide = (isSent: boolean) => {
      if (isDecided) return;
      isDecided = true;
      if (isSent) return placement.begin();
      firedAt.delete(assignment.runId);
      placement.cancel();
    };
    response.once('finish', () => decide(true));
    response.once('close', () => decide(false));
    return accepted();
  }

  function idleBeat(body: unknown): Reply {
    const job = parseJobMessage(body);
    if (typeof job === 'string') return refused(job);
    if (job.runId !== null) {
      const isHere = workbench.has(job.runId) || results.holds(job.runId);
      return isHere ? refused('The run is here') : accepted();
    }
    if (isStopping()) return refused('The executor stops');
    return workbench.isIdle(job.jobId) ? accepted() : refused('A run of the job is here');
  }

  function kill(body: unknown): Reply {
    const job = parseJobMessage(body);
    if (typeof job === 'string') return refused(job);
    if (job.runId !== null) {
      const isKilled = workbench.kill(job.runId, 'Killed');
      // A run that has ended by itself is no longer killed: its own result counts.
      return !isKilled && results.holds(job.runId) ? refused('The run is over, its result is on its way') : accepted();
    }
    for (const runId of workbench.runsOf(job.jobId)) workbench.kill(runId, 'Killed');
    return accepted();
  }

  async function log(body: unknown): Promise<Reply> {
    const question = parseLogMessage(body);
    if (typeof question === 'string') return refused(question);
    const { runId, fromLineNum } = question;
    const logDateTime = firedAt.get(runId) ?? question.logDateTime ?? clock.now();
    const isOver = !workbench.has(runId);
    const page = await logs.read({ runId, logDateTime }, fromLineNum, isOver);
    return page === null ? refused('The log cannot be read: see the log of the executor') : accepted(logPayload(page));
  }

  return {
    [executorPaths.beat]: {
      isBodyless: true,
      answer: () => (isStopping() ? refused('The executor stops') : accepted()),
    },
    [executorPaths.idleBeat]: { answer: idleBeat },
    [executorPaths.run]: { answer: run },
    [executorPaths.kill]: { answer: kill },
    [executorPaths.log]: { answer: log },
  };
}
