import { type AnyTransaction, DatabaseBusyError, type HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { type Claimant, type ClaimOutcome, type Holder, isSameReading, type Lease, LeaseLostError } from './lease.js';

/** The lease of a namespace in a database. Every step is one guarded statement, so that a heartbeat costs one statement. */
export interface SqlLease {
  claim(db: HoraeDatabase, claimant: Claimant, over?: Holder): Promise<ClaimOutcome>;
  /** Keeps the lease for the transaction, or rejects with `LeaseLostError` when its fence is not `fence`. */
  check(trx: AnyTransaction, fence: number): Promise<void>;
}

interface LeaseRow {
  readonly owner: string | null;
  readonly host: string;
  readonly pid: number;
  readonly machine: string;
  readonly process_start: string;
  readonly fence: number;
  readonly heartbeat: number;
}

/** Races with other claimants that are tried again before the holder counts as found. */
const MAX_RACES = 3;

export function sqlLease(namespace: string): SqlLease {
  return {
    async claim(db, claimant, over) {
      for (let race = 0; ; race++) {
        const row = await read(db, namespace);
        const holder = row === null || row.owner === null ? null : holderOf(row, row.owner);
        const isFree = holder === null || (over !== undefined && isSameReading(holder, over));
        if (isFree) {
          const taking = row === null ? insert(db, namespace, claimant) : take(db, namespace, claimant, row);
          const isTaken = await taking.catch(lostRace);
          if (isTaken) return { kind: 'granted', lease: grant(db, namespace, claimant, (row?.fence ?? 0) + 1) };
        }
        if (holder !== null && (!isFree || race >= MAX_RACES)) return { kind: 'held', namespace, holder };
        if (race > 2 * MAX_RACES) throw new Error(`the lease of ${namespace} changes faster than it can be read`);
      }
    },
    async check(trx, fence) {
      // A write and not only a lock: the members of a cluster compare what transactions wrote, not what they locked, so a takeover
      // on another member makes one of the two fail. It counts as a heartbeat as well.
      const { numAffectedRows } = await sql`
        update horae_task_leases set heartbeat = heartbeat + 1
        where namespace = ${namespace} and fence = ${fence} and owner is not null`.execute(trx);
      if ((numAffectedRows ?? 0n) === 0n) throw new LeaseLostError(namespace, fence);
    },
  };
}

/** The members of a cluster that change one row at the same moment: the later one fails as if it were in a deadlock. */
function lostRace(error: unknown): false {
  if (error instanceof DatabaseBusyError && error.details.attempts === 0) return false;
  throw error;
}

async function read(db: HoraeDatabase, namespace: string): Promise<LeaseRow | null> {
  const { rows } = await sql<LeaseRow>`
    select owner, host, pid, machine, process_start, fence, heartbeat
    from horae_task_leases where namespace = ${namespace}`.execute(db.kysely);
  return rows[0] ?? null;
}

function holderOf(row: LeaseRow, owner: string): Holder {
  const { host, machine, process_start: processStart } = row;
  return {
    owner,
    host,
    pid: Number(row.pid),
    machine,
    processStart,
    fence: Number(row.fence),
    heartbeat: Number(row.heartbeat),
  };
}

async function insert(db: HoraeDatabase, namespace: string, claimant: Claimant): Promise<boolean> {
  const { owner, host, pid, machine, processStart } = claimant;
  const head = sql.raw(db.dialect === 'mysql' ? 'insert ignore into' : 'insert into');
  const tail = sql.raw(db.dialect === 'mysql' ? '' : 'on conflict (namespace) do nothing');
  const { numAffectedRows } = await sql`
    ${head} horae_task_leases (namespace, owner, host, pid, machine, process_start, fence, heartbeat)
    values (${namespace}, ${owner}, ${host}, ${pid}, ${machine}, ${processStart}, 1, 0) ${tail}`.execute(db.kysely);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Takes the lease if it is still as it was read. */
async function take(db: HoraeDatabase, namespace: string, claimant: Claimant, seen: LeaseRow): Promise<boolean> {
  const { owner, host, pid, machine, processStart } = claimant;
  const sameOwner = seen.owner === null ? sql`owner is null` : sql`owner = ${seen.owner}`;
  const { numAffectedRows } = await sql`
    update horae_task_leases set owner = ${owner}, host = ${host}, pid = ${pid}, machine = ${machine},
      process_start = ${processStart}, fence = fence + 1, heartbeat = 0
    where namespace = ${namespace} and fence = ${seen.fence} and heartbeat = ${seen.heartbeat} and ${sameOwner}`.execute(
    db.kysely,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

function grant(db: HoraeDatabase, namespace: string, { owner }: Claimant, fence: number): Lease {
  const mine = sql`namespace = ${namespace} and owner = ${owner} and fence = ${fence}`;
  return {
    namespace,
    fence,
    async renew() {
      const { numAffectedRows } = await sql`
        update horae_task_leases set heartbeat = heartbeat + 1 where ${mine}`.execute(db.kysely);
      return (numAffectedRows ?? 0n) > 0n;
    },
    async release() {
      await sql`update horae_task_leases set owner = null where ${mine}`.execute(db.kysely);
    },
  };
}
