import { sql } from 'kysely';
import { systemClock } from '../../system-clock.js';
import { systemRandom } from '../../system-random.js';
import type { AnyKysely } from '../base/engine.js';
import { createMigrationTable } from '../base/migration.js';
import { DatabaseBusyError } from '../base/storage-errors.js';

const LOOK_EVERY_MS = 100;
const HEARTBEAT_MS = 1_000;
/** How long other processes wait. */
interface Patience {
  /** A holder without a heartbeat for this long is gone. */
  readonly staleMs: number;
  /** The longest wait for a holder that is alive. */
  readonly waitLimitMs: number;
}
const PATIENCE: Patience = { staleMs: 15_000, waitLimitMs: 60_000 };

/** No package has this name: it is not a valid one. */
const PLACE = sql`package = '~cluster' and position = 0`;

/** Errors which show that another member has made the same change: an entry, a table, a column or an index that is there already. */
const MADE_ALREADY = new Set([1062, 1050, 1060, 1061]);

interface Holder {
  readonly name: string;
  readonly heartbeat: number;
}

/**
 * Runs `work` while this process holds the lease of a cluster, a row in the table of migrations that members change by guarded
 * statements: the cluster lets one of two changes of the same row win. `heartbeats` is for the statements that show that the holder lives.
 */
export async function withClusterLease<T>(
  db: AnyKysely,
  { url, heartbeats }: { readonly url: string; readonly heartbeats: AnyKysely | null },
  work: (db: AnyKysely) => Promise<T>,
  patience = PATIENCE,
): Promise<T> {
  const random = systemRandom();
  const me = Array.from({ length: 3 }, () => random.uint32().toString(36)).join('-');
  await createMigrationTable(db, 'mysql');
  await claim(db, me, url, patience);
  const over = new AbortController();
  const renewing = heartbeats === null ? Promise.resolve() : renew(heartbeats, me, over.signal);
  try {
    return await work(db);
  } catch (error) {
    if (!MADE_ALREADY.has(Number((error as { errno?: unknown }).errno))) throw error;
    // A holder that was unavailable for too long and was replaced: the missing steps are looked up again.
    throw new DatabaseBusyError(
      `Another member migrates ${url} at the same time: ${(error as Error).message}`,
      { url, attempts: 0, waitedMs: 0 },
      { cause: error },
    );
  } finally {
    over.abort();
    await renewing;
    await change(db, me, sql`name = ''`).catch(() => {});
  }
}

/** The error of a wait that took too long. */
export function stillMigrating(url: string, waitedMs: number): DatabaseBusyError {
  return new DatabaseBusyError(
    `Another process has been migrating ${url} for ${Math.round(waitedMs / 1_000)} s: wait for it to end, then try again`,
    { url, attempts: 1, waitedMs },
  );
}

async function claim(db: AnyKysely, me: string, url: string, patience: Patience): Promise<void> {
  const clock = systemClock();
  const startMs = clock.monotonicMs();
  let seen: Holder | undefined;
  let seenMs = startMs;
  for (;;) {
    const holder = await read(db);
    const nowMs = clock.monotonicMs();
    if (holder?.name !== seen?.name || holder?.heartbeat !== seen?.heartbeat) {
      seen = holder;
      seenMs = nowMs;
    }
    const isFree = holder === undefined || holder.name === '' || nowMs - seenMs >= patience.staleMs;
    if (isFree && (await take(db, me, holder))) return;
    if (nowMs - startMs >= patience.waitLimitMs) throw stillMigrating(url, nowMs - startMs);
    await clock.sleepFor(LOOK_EVERY_MS);
  }
}

async function read(db: AnyKysely): Promise<Holder | undefined> {
  const { rows } = await sql<{ name: string; applied_at: number }>`
    select name, applied_at from horae_migrations where ${PLACE}`.execute(db);
  return rows[0] === undefined ? undefined : { name: rows[0].name, heartbeat: Number(rows[0].applied_at) };
}

/** Takes the lease if it is still as in `seen`; returns whether `me` now holds it. */
async function take(db: AnyKysely, me: string, seen: Holder | undefined): Promise<boolean> {
  try {
    if (seen !== undefined) {
      return await change(db, seen.name, sql`name = ${me}`, sql`and applied_at = ${seen.heartbeat}`);
    }
    await sql`
      insert into horae_migrations (package, position, name, applied_at) values ('~cluster', 0, ${me}, 0)`.execute(db);
    return true;
  } catch (error) {
    // Another member was first; which of the two errors comes depends on when its change arrives here.
    if (error instanceof DatabaseBusyError || (error as { errno?: unknown }).errno === 1062) return false;
    throw error;
  }
}

async function change(
  db: AnyKysely,
  holder: string,
  values: ReturnType<typeof sql>,
  guard: ReturnType<typeof sql> = sql``,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update horae_migrations set ${values}, applied_at = applied_at + 1
    where ${PLACE} and name = ${holder} ${guard}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

async function renew(db: AnyKysely, me: string, signal: AbortSignal): Promise<void> {
  const clock = systemClock();
  while (!signal.aborted) {
    // A heartbeat that fails is followed by the next one.
    await change(db, me, sql`name = ${me}`).catch(() => {});
    await clock.sleepFor(HEARTBEAT_MS, { signal }).catch(() => {});
  }
}
