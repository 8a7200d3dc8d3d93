import type { RunProgress } from '../../model/run.js';
import { type ActiveRun, claimOf } from '../node/active-run.js';
import { createBatches } from '../node/batches.js';
import type { RingNode } from '../node/ring-node.js';

/** The progress reports of the runs on this node. */
export interface ProgressReports {
  /** Written at once, then at most once per second; the last report is written with the run's end. */
  add(run: ActiveRun, progress: RunProgress): void;
  /** The last unwritten report of an ended run, to be written with its end; null: none. */
  takeLast(runId: number): RunProgress | null;
  /** Writes the reports that were held back for long enough. Called once per second. */
  flush(): Promise<void>;
}

const EVERY_MS = 1_000;
const MAX_REPORTS_PER_WRITE = 2_000;

interface Report {
  run: ActiveRun;
  progress: RunProgress;
  writtenMs: number;
  isHeldBack: boolean;
}

export function createProgressReports(node: Pick<RingNode, 'store' | 'clock' | 'log'>): ProgressReports {
  const reports = new Map<number, Report>();

  const batches = createBatches<Report>(MAX_REPORTS_PER_WRITE, async (due) => {
    const rows = [...due].map(({ run, progress }) => ({ ...claimOf(run.row), progress }));
    // A lost report is followed by another, or by the run's end.
    await node.store
      .transaction((trx) => trx.writeProgress(rows))
      .catch((error: unknown) => node.log.warn({ err: error, runs: rows.length }, 'Progress could not be written'));
  });

  function write(report: Report): void {
    report.writtenMs = node.clock.monotonicMs();
    report.isHeldBack = false;
    batches.put({ ...report });
  }

  return {
    add(run, progress) {
      const known = reports.get(run.row.id);
      if (known === undefined) {
        const report = { run, progress, writtenMs: 0, isHeldBack: false };
        reports.set(run.row.id, report);
        write(report);
        return;
      }
      Object.assign(known, { run, progress, isHeldBack: true });
      if (node.clock.monotonicMs() - known.writtenMs >= EVERY_MS) write(known);
    },
    takeLast(runId) {
      const progress = reports.get(runId)?.progress ?? null;
      reports.delete(runId);
      return progress;
    },
    async flush() {
      const now = node.clock.monotonicMs();
      for (const report of reports.values()) {
        if (report.isHeldBack && now - report.writtenMs >= EVERY_MS) write(report);
      }
      await batches.idle();
    },
  };
}
