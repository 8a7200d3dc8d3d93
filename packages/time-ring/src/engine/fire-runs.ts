import { type RunRow, runRow } from '../run.js';
import type { JobTransaction, NewRun, RunFire } from '../store/job-store.js';
import { type ActiveRun, newRun } from './active-run.js';
import { changeEach } from './change-each.js';
import { insertRuns } from './insert-runs.js';
import type { RingNode } from './ring-node.js';

/** Where a run goes. */
export interface FireTarget {
  readonly address: string;
  readonly state: 'queued' | 'running';
  readonly shardTotal: number;
}

/** A run that is to be handed out, and the other shards of its broadcast, which are written with it. */
export interface Fire {
  readonly fire: RunFire;
  readonly siblings: readonly NewRun[];
}

const noSiblings: readonly NewRun[] = [];

export function fireOf(
  run: ActiveRun,
  { address, state, shardTotal }: FireTarget,
  owner: string,
  firedAt: number,
): Fire {
  const { id, fence } = run.row;
  const startedAt = state === 'running' ? firedAt : null;
  return {
    fire: { id, owner: run.row.owner!, fence, state, address, shardTotal, firedAt, startedAt },
    siblings: siblingsOf(run, shardTotal, owner, firedAt),
  };
}

function siblingsOf({ job, row }: ActiveRun, shardTotal: number, owner: string, firedAt: number): readonly NewRun[] {
  if (shardTotal === row.shardTotal) return noSiblings;
  return Array.from({ length: shardTotal - 1 }, (_, i) =>
    newRun(job, owner, {
      triggerType: row.triggerType,
      scheduleTime: row.scheduleTime,
      params: row.params,
      fireId: row.fireId,
      attempt: row.attempt,
      shardIndex: i + 1,
      shardTotal,
      firedAt,
    }),
  );
}

/** The row of a run that was handed out. */
export function firedRow(row: RunRow, { state, address, shardTotal, firedAt, startedAt }: RunFire): RunRow {
  const fired = runRow(row.id, row.fireId, row);
  fired.state = state;
  fired.address = address;
  fired.shardTotal = shardTotal;
  fired.firedAt = firedAt;
  fired.startedAt = startedAt;
  return fired;
}

/** Writes that runs are handed out. For each the ids of its siblings, or null when it was not pending any more. */
export async function fireRuns(
  node: RingNode,
  trx: JobTransaction,
  batch: readonly Fire[],
): Promise<readonly (readonly number[] | null)[]> {
  const isFired = await changeEach(batch, idOf, (fires) => trx.fireRuns(fires.map(({ fire }) => fire)));
  const spreading = batch.filter((each) => each.siblings.length > 0 && isFired(each));
  const ids = await insertRuns(
    node,
    trx,
    spreading.flatMap(({ siblings }) => siblings),
  );
  let used = 0;
  return batch.map((each) => {
    if (!isFired(each)) return null;
    if (each.siblings.length === 0) return noIds;
    const own = ids.slice(used, used + each.siblings.length) as number[];
    used += own.length;
    return own;
  });
}

const noIds: readonly number[] = [];

function idOf({ fire }: Fire): number {
  return fire.id;
}
