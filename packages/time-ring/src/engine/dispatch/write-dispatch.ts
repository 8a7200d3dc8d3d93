import { type RunRow, runRow, type WaitingReason } from '../../model/run.js';
import type { JobTransaction, NewRun, RunDispatch, RunParking } from '../../store/job-store.js';
import { recordLate } from '../alerts/run-alerts.js';
import { type ActiveRun, claimOf, keptByAll, newRun, rowOf } from '../node/active-run.js';
import { changeEach } from '../node/change-each.js';
import { insertRuns } from '../node/insert-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { admitRuns } from './admit-runs.js';
import type { Dispatch } from './place-run.js';

/** The outcome of a dispatch: `stale` when this node no longer owned the run. */
export type Written =
  | { readonly kind: 'stale' | 'done' }
  /** The executor's node is gone: the run is routed again. */
  | { readonly kind: 'gone' }
  /** Its group is paused, or a limit of its job or group is reached: it waits. */
  | { readonly kind: 'refused'; readonly reason: WaitingReason }
  /** The runs into which a broadcast was spread. */
  | { readonly kind: 'spread'; readonly runs: readonly ActiveRun[] };

const STALE: Written = { kind: 'stale' };
const DONE: Written = { kind: 'done' };
const GONE: Written = { kind: 'gone' };

/** Writes the decisions about triggered runs, in the order given. */
export async function writeDispatches(
  node: RingNode,
  trx: JobTransaction,
  batch: readonly Dispatch[],
): Promise<readonly Written[]> {
  const written = new Map<Dispatch, Written>();
  const refused = await admitRuns(trx, batch, node.time.now());
  await writeRefusals(trx, refused, written);
  const admitted = refused.size === 0 ? batch : batch.filter((each) => !refused.has(each));
  await writePlaced(node, trx, admitted, written);
  await writeParkings(trx, admitted, written);
  await writeHandovers(trx, admitted, written);
  await writeSpreads(node, trx, admitted, written);
  return batch.map((each) => written.get(each) ?? STALE);
}

type Kind<K extends Dispatch['kind']> = Extract<Dispatch, { kind: K }>;

function ofKind<K extends Dispatch['kind']>(batch: readonly Dispatch[], kind: K): readonly Kind<K>[] {
  return batch.filter((each): each is Kind<K> => each.kind === kind);
}

async function writePlaced(
  node: RingNode,
  trx: JobTransaction,
  batch: readonly Dispatch[],
  written: Map<Dispatch, Written>,
) {
  const placed = ofKind(batch, 'placed');
  if (placed.length === 0) return;
  const isFired = await changeEach(placed, idOf, (each) => trx.dispatchRuns(each.map(({ fire }) => fire)));
  for (const each of placed) if (isFired(each)) written.set(each, DONE);
  // A run sent to a remote executor has started when the executor says so.
  const begun = placed.filter((each) => each.placement !== null && each.fire.startedAt !== null && isFired(each));
  await recordLate(
    node.alerts,
    trx,
    begun.map(({ run: { job, row }, fire }) => ({ job, row, startedAt: fire.startedAt! })),
  );
}

async function writeRefusals(
  trx: JobTransaction,
  refused: ReadonlyMap<Dispatch, WaitingReason>,
  written: Map<Dispatch, Written>,
) {
  if (refused.size === 0) return;
  const parkings = [...refused].map(([{ run }, reason]) => parkingOf(run, reason));
  const changed = await trx.parkRuns(parkings);
  for (const [each, reason] of refused) {
    if (changed.has(each.run.row.id)) written.set(each, { kind: 'refused', reason });
  }
}

/** While its group is paused, the waiting time of a run does not count. */
function parkingOf({ row, job }: ActiveRun, waitingFor: WaitingReason): RunParking {
  const deadlineAt = job.waitMs === null || waitingFor === 'paused' ? null : row.readyAt + job.waitMs;
  return { ...claimOf(row), waitingFor, deadlineAt };
}

async function writeParkings(trx: JobTransaction, batch: readonly Dispatch[], written: Map<Dispatch, Written>) {
  const parked = ofKind(batch, 'parked');
  if (parked.length === 0) return;
  const parkings = parked.map(({ run, reason }) => parkingOf(run, reason));
  const changed = await trx.parkRuns(parkings);
  for (const each of parked) if (changed.has(each.run.row.id)) written.set(each, DONE);
}

/** A node that receives a run must exist until the transaction is over, or no node would find the run. */
async function writeHandovers(trx: JobTransaction, batch: readonly Dispatch[], written: Map<Dispatch, Written>) {
  const handed = ofKind(batch, 'handed-over');
  if (handed.length === 0) return;
  const there = await trx.pinNodes([...new Set(handed.map(({ to }) => to.nodeOwner!))]);
  for (const each of handed) if (!there.has(each.to.nodeOwner!)) written.set(each, GONE);
  const handovers = handed
    .filter(({ to }) => there.has(to.nodeOwner!))
    .map(({ run: { row }, to }) => ({ ...claimOf(row), to: to.nodeOwner!, address: to.address }));
  const changed = await trx.handOver(handovers);
  for (const each of handed) if (changed.has(each.run.row.id)) written.set(each, DONE);
  await trx.wake(handovers.filter(({ id }) => changed.has(id)).map(({ to }) => to));
}

async function writeSpreads(
  node: RingNode,
  trx: JobTransaction,
  batch: readonly Dispatch[],
  written: Map<Dispatch, Written>,
) {
  const firedAt = node.time.now();
  for (const each of ofKind(batch, 'spread')) {
    const { run, shardTotal } = each;
    const changed = await trx.spreadRuns([{ ...claimOf(run.row), shardTotal, firedAt }]);
    if (!changed.has(run.row.id)) continue;
    const siblings = siblingsOf(node, run, shardTotal, firedAt);
    const ids = await insertRuns(node, trx, siblings);
    const first = runRow(run.row.id, run.row.fireId, { ...run.row, shardTotal, firedAt });
    const rows = [first, ...siblings.map((sibling, i) => rowOf(sibling, ids[i]!))];
    written.set(each, { kind: 'spread', runs: rows.map((row) => ({ job: run.job, row })) });
  }
}

function siblingsOf(node: RingNode, { job, row }: ActiveRun, shardTotal: number, firedAt: number): readonly NewRun[] {
  return Array.from({ length: shardTotal - 1 }, (_, i) => ({
    ...newRun(job, node.owner, {
      ...keptByAll(row),
      fireId: row.fireId,
      attempt: row.attempt,
      shardIndex: i + 1,
      shardTotal,
      firedAt,
      at: firedAt,
    }),
    readyAt: row.readyAt,
  }));
}

/** Notes that a run was dispatched. In place: the row is not shared, and copying thousands would cost more than the rest. */
export function noteFired(row: RunRow, { state, address, firedAt, startedAt }: RunDispatch): void {
  row.state = state;
  row.address = address;
  row.firedAt = firedAt;
  row.startedAt = startedAt;
  row.waitingFor = null;
}

function idOf({ run }: { readonly run: ActiveRun }): number {
  return run.row.id;
}
