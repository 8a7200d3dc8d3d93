import type { Outcome } from '../executor/assignment.js';
import type { Job } from '../job.js';
import type { RunRow } from '../run.js';
import type { RunEnd } from '../store/job-store.js';
import type { ActiveRun } from './active-run.js';
import { createBatches } from './batches.js';
import type { RingNode } from './ring-node.js';
import type { RunLogs } from './run-logs.js';
import { tellEnd } from './tell-run.js';
import { type EndingRun, type WrittenEnds, writeEnds } from './write-ends.js';

/** Makes results durable. */
export interface Recorder {
  /** Has a result written; a lost database is waited for. `job` null: it is read. */
  end(run: { row: RunRow; job: Job | null }, outcome: Outcome, more?: { address?: string }): void;
  /** Resolves when the last result of a run that was handed in is written (true) or refused; at once when there is none. */
  ended(runId: number): Promise<boolean>;
  idle(): Promise<void>;
  /** Stops waiting for a lost database: what cannot be written now stays with the run's owner, for others to take over. */
  abandon(): void;
}

interface Ending extends EndingRun {
  waiting: readonly ((isRecorded: boolean) => void)[];
}

const nobody: Ending['waiting'] = [];

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
  const endings = new Map<number, Ending>();
  const batches = createBatches<Ending>(MOST_ENDS_A_WRITE, (ends) => writeUntilDone([...ends]));

  async function writeUntilDone(runs: readonly Ending[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await told.turn();
        await node.step('record');
        tell(runs, await node.store.transaction((trx) => writeEnds(node, trx, runs, attempt > 1)));
        return;
      } catch (error) {
        told.doubt();
        node.log.warn({ error, runs: runs.length, attempt }, 'Results could not be written and will be tried again');
        if (abandoned.signal.aborted) {
          for (const run of runs) answer(run, false);
          return;
        }
        await node.clock.sleepFor(PAUSE_MS, { signal: abandoned.signal }).catch(() => {});
      }
    }
  }

  function tell(runs: readonly Ending[], { outcomes, followUps, retried }: WrittenEnds): void {
    node.counters.retried += retried;
    runs.forEach((run, i) => {
      if (endings.get(run.row.id) === run) endings.delete(run.row.id);
      told.over(run.row);
      const outcome = outcomes[i]!;
      if (outcome === 'recorded') tellEnd(node, run.row, run.end);
      else {
        node.counters.refused += 1;
        node.emitter.emit('result-refused', { runId: run.row.id, reason: outcome });
      }
    });
    if (!node.isStopping) told.followUps(followUps);
    runs.forEach((run, i) => void answer(run, outcomes[i] === 'recorded'));
  }

  function answer({ waiting }: Ending, isRecorded: boolean): void {
    for (const resolve of waiting) resolve(isRecorded);
  }

  return {
    end({ row, job }, outcome, { address } = {}) {
      // Two ends of one run never have the same time: when a write is repeated because its answer was lost, it can tell which one it was.
      const endedAt = Math.max(node.time.now(), (endings.get(row.id)?.end.endedAt ?? 0) + 1);
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
      const ending: Ending = { row, end, job, logLines: logs.takeLast(row.id), waiting: nobody };
      endings.set(row.id, ending);
      batches.put(ending);
    },
    ended(runId) {
      const ending = endings.get(runId);
      if (ending === undefined) return Promise.resolve(false);
      return new Promise((resolve) => {
        ending.waiting = [...ending.waiting, resolve];
      });
    },
    idle: () => batches.idle(),
    abandon: () => abandoned.abort(),
  };
}

/** Text that every database takes: PostgreSQL has no NUL in texts, and half a surrogate pair is no text at all. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}
