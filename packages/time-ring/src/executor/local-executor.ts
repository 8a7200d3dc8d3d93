import type { ExecutorRegistry, LocalExecutor } from '../engine/executor-registry.js';
import type { KnownRuns } from '../engine/known-runs.js';
import type { Recorder } from '../engine/recorder.js';
import type { RingNode } from '../engine/ring-node.js';
import type { RunLogs } from '../engine/run-logs.js';
import type { RunStarter } from '../engine/run-starter.js';
import { tellStart } from '../engine/tell-run.js';
import type { Handler } from '../handler.js';
import type { Executor } from '../time-ring-interface.js';
import type { Assignment, Outcome } from './assignment.js';
import { createWorkbench } from './workbench.js';

/** What an executor in the ring's own process works with. */
export interface LocalExecutorParts {
  readonly node: RingNode;
  readonly known: KnownRuns;
  readonly registry: ExecutorRegistry;
  readonly recorder: Recorder;
  readonly starter: RunStarter;
  readonly logs: RunLogs;
  /** Gives runs that had not begun to somebody else. */
  handOut(runIds: readonly number[]): Promise<void>;
}

export function startLocalExecutor(
  { node, known, registry, recorder, starter, logs, handOut }: LocalExecutorParts,
  options: { group: string; address: string; handlers: Readonly<Record<string, Handler>>; queueLimit: number },
): Executor {
  /** What a run says that was lost and came back meanwhile is said under the old fence, to be refused. */
  function ended({ runId, fence }: Assignment, outcome: Outcome): void {
    const run = known.get(runId);
    if (run === undefined) return;
    recorder.end(run.row.fence === fence ? run : { job: run.job, row: { ...run.row, fence: fence! } }, outcome);
  }

  async function starting({ runId, fence }: Assignment): Promise<boolean> {
    const run = known.get(runId);
    if (run === undefined || run.row.fence !== fence) return false;
    const started = await starter.start(run);
    if (started !== null) tellStart(node, started.row);
    return started !== null;
  }

  const bench = createWorkbench({
    handlers: options.handlers,
    clock: node.clock,
    queueLimit: options.queueLimit,
    events: { starting, ended, logged: ({ runId }, line) => logs.add(runId, line) },
  });
  const executor: LocalExecutor = {
    group: options.group,
    address: options.address,
    registeredAt: node.time.now(),
    bench,
  };
  registry.addLocal(executor);
  return {
    group: options.group,
    address: options.address,
    async stop() {
      registry.removeLocal(executor);
      const waiting = bench.abortAll('The executor was stopped');
      await handOut(waiting.map(({ runId }) => runId));
      await recorder.idle();
    },
  };
}
