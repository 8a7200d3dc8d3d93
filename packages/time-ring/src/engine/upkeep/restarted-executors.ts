import type { RunRow } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';
import { failure } from '../../workbench/assignment.js';
import type { RemoteCalls } from '../../workbench/remote-calls.js';
import type { RestartCheck } from '../dispatch/registry.js';
import { claimOf } from '../node/active-run.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';

const MAX_RUNS_PER_RESTART = 10_000;
const MAX_QUESTIONS = 16;
const LOST = 'The executor was restarted and does not have the run any more';

/**
 * Finds the runs that a remote executor lost when it was restarted under its old address. The registration sets the grace as the time limit
 * of all its runs, so that they end even if this node is lost meanwhile; runs that it still has get their own limit back.
 */
export function createRestartCheck(
  node: RingNode,
  { recorder, calls, resultGraceMs }: { recorder: Recorder; calls: RemoteCalls; resultGraceMs: number },
): RestartCheck {
  async function limit(trx: JobTransaction, address: string): Promise<readonly RunRow[]> {
    const rows = await trx.lockRunsAt({ addresses: [address], limit: MAX_RUNS_PER_RESTART });
    const latest = node.time.now() + resultGraceMs;
    const limited = rows.filter(({ deadlineAt }) => deadlineAt === null || deadlineAt > latest);
    await trx.assignRemote(limited.map((row) => withDeadline(row, latest)));
    return rows;
  }

  async function ask(row: RunRow, isExact: boolean): Promise<void> {
    const answer = await calls.hasRun(row.address!, { jobId: row.jobId, runId: row.id });
    if (answer === 'there') {
      await node.store.transaction((trx) => trx.assignRemote([withDeadline(row, row.deadlineAt)]));
    } else if (answer === 'gone' && isExact) {
      recorder.end({ row, job: null }, failure(LOST));
    }
  }

  return {
    limit,
    async ask(rows, { isExact }) {
      const left = [...rows];
      const questions = Array.from({ length: MAX_QUESTIONS }, async () => {
        for (let row = left.shift(); row !== undefined && !node.isStopping; row = left.shift()) await ask(row, isExact);
      });
      await Promise.all(questions).catch((error: unknown) =>
        node.log.warn({ err: error }, 'A restarted executor could not be asked for its runs; they end after the grace'),
      );
    },
  };
}

function withDeadline(row: RunRow, deadlineAt: number | null) {
  return { ...claimOf(row), startedAt: row.startedAt!, deadlineAt };
}
