import type { Outcome } from '../executor/assignment.js';
import type { Job } from '../job.js';
import { publicRun, type RunRow, UNOWNED } from '../run.js';
import type { RunEnd } from '../store/job-store.js';
import type { ActiveRun } from './active-run.js';
import { createBatchWriter } from './batch-writer.js';
import type { RingNode } from './ring-node.js';
import type { RunLogs } from './run-logs.js';
import { type EndingRun, type WrittenEnds, writeEnds } from './write-ends.js';

/** Makes results durable. */
export interface Recorder {
  /** Resolves once the result is written or refused; a lost database is waited for. `job` null: it is read. */
  end(run: { row: RunRow; job: Job | null }, outcome: Outcome, more?: { address?: string }): Promise<boolean>;
  /** The end of a run that is being written; undefined when none is. */
  ending(runId: number): Promise<boolean> | undefined;
  idle(): Promise<void>;
  /** Stops waiting for a lost database: what cannot be written now stays with the run's owner, for others to take over. */
  abandon(): void;
}

const MOST_ENDS_A_WRITE = 2_000;
const PAUSE_MS = 1_000;

export function createRecorder(
  node: RingNode,
  logs: RunLogs,
  told: {
    followUps(runs: readonly ActiveRun[]): void;
    over(row: RunRow): void;
    /** Resolves when results may be written: runs that have to start come first. */
    turn(): Promise<void>;
    /** A write failed, and nobody knows whether it was committed. */
    doubt(): void;
  },
): Recorder {
  const abandoned = new AbortController();
  const endings = new Map<number, { row: RunRow; written: Promise<boolean> }>();
  const writer = createBatchWriter<EndingRun, boolean>(MOST_ENDS_A_WRITE, writeUntilDone);

  async function writeUntilDone(runs: readonly EndingRun[]): Promise<readonly boolean[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        await told.turn();
        await node.step('record');
        // While stopping, what follows is for other nodes.
        const owner = node.isStopping ? UNOWNED : node.owner;
        const written = await node.store.transaction((trx) => writeEnds(trx, runs, owner, attempt > 1));
        return tell(runs, written);
      } catch (error) {
        told.doubt();
        node.log.warn({ error, runs: runs.length, attempt }, 'Results could not be written and will be tried again');
        if (abandoned.signal.aborted) return runs.map(() => false);
        await node.clock.sleepFor(PAUSE_MS, { signal: abandoned.signal }).catch(() => {});
      }
    }
  }

  function tell(runs: readonly EndingRun[], { outcomes, followUps, retried }: WrittenEnds): boolean[] {
    node.counters.retried += retried;
    runs.forEach((run, i) => {
      if (endings.get(run.row.id)?.row === run.row) endings.delete(run.row.id);
      told.over(run.row);
      const outcome = outcomes[i]!;
      if (outcome === 'recorded') tellEnd(run);
      else {
        node.counters.refused += 1;
        node.emitter.emit('result-refused', { runId: run.row.id, reason: outcome });
      }
    });
    if (!node.isStopping) told.followUps(followUps);
    return outcomes.map((outcome) => outcome === 'recorded');
  }

  function tellEnd({ row, end }: EndingRun): void {
    if (end.state === 'skipped') return;
    const run = publicRun(row);
    run.state = end.state;
    run.code = end.code;
    run.message = end.message;
    run.endedAt = end.endedAt;
    run.firedAt = end.firedAt ?? row.firedAt;
    run.address = end.address ?? row.address;
    node.counters[end.state] += 1;
    node.emitter.emit(`run-${end.state}`, { run });
  }

  return {
    end({ row, job }, outcome, { address } = {}) {
      const endedAt = node.time.now();
      const end: RunEnd = {
        id: row.id,
        owner: row.owner!,
        fence: row.fence,
        state: outcome.state,
        code: outcome.code,
        message: outcome.message === null ? null : storable(outcome.message),
        endedAt,
        firedAt: address === undefined ? null : endedAt,
        address: address ?? null,
      };
      const written = writer.add({ row, end, job, logLines: logs.takeLast(row.id) });
      endings.set(row.id, { row, written });
      return written;
    },
    ending: (runId) => endings.get(runId)?.written,
    idle: () => writer.idle(),
    abandon: () => abandoned.abort(),
  };
}

/** Text that every database takes: PostgreSQL has no NUL in texts, and half a surrogate pair is no text at all. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}
