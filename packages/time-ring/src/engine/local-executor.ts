import type { Handler } from '../model/handler.js';
import type { Executor } from '../model/interface.js';
import type { RunProgress } from '../model/run.js';
import type { Assignment, Outcome } from '../workbench/assignment.js';
import type { ExecutorRing } from '../workbench/executor-ring.js';
import { createRunSlots } from '../workbench/run-slots.js';
import type { ExecutorRegistry, LocalExecutor } from './dispatch/registry.js';
import type { WaitingRuns } from './dispatch/waiting-runs.js';
import type { OwnedRuns } from './node/owned-runs.js';
import type { RingNode } from './node/ring-node.js';
import { reportStart } from './node/run-events.js';
import type { Recorder } from './record/recorder.js';
import type { RunLogs } from './record/run-logs.js';
import type { ProgressReports } from './record/run-progress.js';
import type { RunStarter } from './record/run-starter.js';

/** The parts that an executor in the ring's own process works with. */
export interface LocalExecutorParts {
  readonly node: RingNode;
  readonly owned: OwnedRuns;
  readonly registry: ExecutorRegistry;
  readonly recorder: Recorder;
  readonly starter: RunStarter;
  readonly logs: RunLogs;
  readonly progress: ProgressReports;
  /** The part of the ring available to handlers. */
  readonly handlerRing: ExecutorRing;
  readonly waiting: Pick<WaitingRuns, 'relieve'>;
}

export async function startLocalExecutor(
  { node, owned, registry, recorder, starter, logs, progress, handlerRing, waiting }: LocalExecutorParts,
  options: {
    group: string;
    address: string;
    handlers: Readonly<Record<string, Handler>>;
    queueLimit: number;
    concurrency: number | null;
  },
): Promise<Executor> {
  /** A run that was lost and came back meanwhile reports under the old fence, so that its result is refused. */
  function ended({ runId, fence }: Assignment, outcome: Outcome): void {
    const run = owned.get(runId);
    if (run === undefined) return;
    recorder.end(run.row.fence === fence ? run : { job: run.job, row: { ...run.row, fence: fence! } }, outcome);
    // Half of the queue at a time: one transaction per run would be slower than the runs.
    if (slots.room(run.job) + 1 >= refillAt) waiting.relieve(run.job.id);
  }

  function progressed({ runId, fence }: Assignment, report: RunProgress): void {
    const run = owned.get(runId);
    if (run?.row.fence === fence) progress.add(run!, report);
  }

  function late({ runId }: Assignment): void {
    node.counters.refused += 1;
    node.emitter.emit('result-refused', { runId, reason: 'already-over' });
  }

  async function starting({ runId, fence }: Assignment): Promise<boolean> {
    const run = owned.get(runId);
    if (run === undefined || run.row.fence !== fence) return false;
    const started = await starter.start(run);
    if (started !== null) reportStart(node, started.row, started.job);
    return started !== null;
  }

  const refillAt = Math.max(1, Math.floor(options.queueLimit / 2));
  const slots = createRunSlots({
    handlers: options.handlers,
    clock: node.clock,
    ring: handlerRing,
    queueLimit: options.queueLimit,
    tracing: () => node.tracing.current,
    concurrency: options.concurrency,
    events: { starting, ended, late, progressed, logged: ({ runId }, line) => logs.add(runId, line) },
  });
  const executor: LocalExecutor = {
    group: options.group,
    address: options.address,
    registeredAt: node.time.now(),
    // Read each time: a program may add and remove handlers while it runs.
    get handlers() {
      return Object.keys(options.handlers);
    },
    slots,
  };
  await registry.addLocal(executor);
  return {
    group: options.group,
    address: options.address,
    async stop() {
      await registry.removeLocal(executor);
      const queued = slots.abortAll('The executor was stopped');
      await owned.release(queued.flatMap(({ runId }) => owned.get(runId)?.row ?? []));
      await recorder.idle();
    },
  };
}
