import type { JobStore } from '../../store/job-store.js';
import type { AlertRecords } from './alert-records.js';

/** Records passes that failed. */
export interface PassAlerts {
  /** Records a failed pass, once the database can be written to again. */
  failed(at: number, error: unknown): Promise<void>;
  /** Writes the records that could not be written before. */
  flush(): Promise<void>;
}

export function createPassAlerts({ alerts, store }: { alerts: AlertRecords; store: JobStore }): PassAlerts {
  let unwritten: { at: number; count: number; problem: string } | null = null;

  async function flush(): Promise<void> {
    if (unwritten === null) return;
    const { at, count, problem } = unwritten;
    unwritten = null;
    try {
      await store.transaction((trx) =>
        alerts.record(trx, [
          { on: 'pass-failed', at, count, job: null, run: null, what: `A pass of the ring has failed: ${problem}` },
        ]),
      );
      alerts.settle();
    } catch {
      // The next pass that succeeds writes it.
      unwritten = { at, count: count + ((unwritten as { count: number } | null)?.count ?? 0), problem };
    }
  }

  return {
    flush,
    async failed(at, error) {
      if (!alerts.wants(null, 'pass-failed')) return;
      const problem = error instanceof Error ? error.message : String(error);
      unwritten = { at: unwritten?.at ?? at, count: (unwritten?.count ?? 0) + 1, problem };
      await flush();
    },
  };
}
