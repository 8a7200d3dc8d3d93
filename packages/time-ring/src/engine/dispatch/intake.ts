import type { RunRow } from '../../model/run.js';
import { classifyDue } from '../../schedule/classify-due.js';
import type { Ring } from '../../wheel/ring.js';
import { type ActiveRun, type DueRun, dueRun, type RingRun, ringRun, unfold } from '../node/active-run.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';

/** Holds this node's runs in the ring until they are due, then passes them to the trigger queue. */
export interface RunIntake {
  /** Dispatches due runs and keeps the others until their time; runs that arrive while stopping are handed back. */
  accept(runs: readonly ActiveRun[], at: number): void;
  /** Removes a job's waiting runs from the ring. */
  withdraw(jobId: number): void;
  /** Sets the queue for due runs. Called once, before anything is accepted. */
  connect(queue: { enqueue(runs: readonly ActiveRun[]): void }): void;
  /** Sets the listener that is called when accepted runs wait for their time. */
  onWaiting(listener: () => void): void;
}

export function createRunIntake(
  node: RingNode,
  { ring, dueRing, owned }: { ring: Ring<RingRun>; dueRing: Ring<DueRun>; owned: OwnedRuns },
): RunIntake {
  let tellWaiting: () => void = () => {};
  let enqueue: (runs: readonly ActiveRun[]) => void = () => {};

  /** The place of a (job, time) may be taken: by a row that was withdrawn elsewhere and written again, or by a shard of the same fire. */
  function push(run: RingRun): void {
    if (ring.push(run)) return;
    let shards: readonly RingRun[] = [];
    for (const entry of ring.remove(run.jobId)) {
      if (entry.scheduleTime !== run.scheduleTime) ring.push(entry);
      else if (entry.row.fireId === run.row.fireId) shards = unfold(entry).filter(({ row }) => row.id !== run.row.id);
      else for (const { row } of unfold(entry)) owned.delete(row);
    }
    ring.push(shards.length === 0 ? run : { ...run, shards });
  }

  /** A run that was lost and came back replaces its stale entry. */
  function pushDue(run: DueRun): void {
    if (dueRing.push(run)) return;
    dueRing.remove(run.jobId);
    dueRing.push(run);
  }

  /** A stopping node accepts nothing. If this fails, other nodes take the runs when they find this node gone. */
  function handBack(rows: readonly RunRow[]): void {
    if (rows.length === 0) return;
    owned
      .release(rows)
      .catch((error: unknown) => node.log.warn({ err: error }, 'Runs could not be handed back; others take them over'));
  }

  return {
    accept(runs, at) {
      if (node.isStopping) {
        handBack(runs.map(({ row }) => row));
        return;
      }
      const due: ActiveRun[] = [];
      for (const run of runs) {
        // The run was lost and taken again before the claim's answer arrived: this is the outdated row.
        if (!owned.set(run)) continue;
        const { scheduleTime, triggerType, dueAt } = run.row;
        if (dueAt !== null && classifyDue(at, dueAt) === 'ring') pushDue(dueRun(run));
        else if (dueAt === null && triggerType === 'schedule' && classifyDue(at, scheduleTime!) === 'ring')
          push(ringRun(run));
        else due.push(run);
      }
      enqueue(due);
      if (due.length < runs.length) tellWaiting();
    },
    withdraw(jobId) {
      for (const entry of ring.remove(jobId).flatMap(unfold)) {
        // A run that has fired once is no longer withdrawn.
        if (entry.row.firedAt === null) owned.delete(entry.row);
        else push(ringRun(entry));
      }
    },
    connect(queue) {
      enqueue = queue.enqueue;
    },
    onWaiting(listener) {
      tellWaiting = listener;
    },
  };
}
