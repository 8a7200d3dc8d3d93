import { type Column, grown } from './columns.js';
import type { ActionInstance } from './interchange.js';

/** Where an action stands. */
export const Status = { future: 0, waiting: 1, running: 2, suspended: 3, ended: 4, cancelled: 5, rejected: 6 } as const;

/** What is true of an action, as bits. */
export const Flag = {
  interruptible: 1,
  triggers: 2,
  preempts: 4,
  failsOnConflict: 8,
  visible: 16,
  followUp: 32,
} as const;

const COLUMNS = [
  'status',
  'flags',
  'due',
  'span',
  'priority',
  'name',
  'kind',
  'request',
  'firstRequest',
  'requestedAt',
  'started',
  'attempt',
  'lockStart',
  'lockCount',
] as const;
const POOL_COLUMNS = ['lock', 'owner', 'queuePrev', 'queueNext'] as const;

/** Lists and back references follow from the other columns, so an image leaves them out. */
const REBUILT: ReadonlySet<string> = new Set(['owner', 'queuePrev', 'queueNext']);

/**
 * All actions of a state as columns; an action is a row number. The locks of an action are a stretch of the pool, and each
 * place of the pool is also the action's place in that lock's queue.
 */
export class ActionTable {
  count = 0;
  poolSize = 0;
  status = new Uint8Array(0);
  flags = new Uint8Array(0);
  /** The minute of its end, its resumption or its admission, whichever the status says. */
  due = new Float64Array(0);
  /** Before the first start the work in ten-thousandths of a minute, afterwards the remaining minutes. */
  span = new Float64Array(0);
  priority = new Float64Array(0);
  name = new Int32Array(0);
  kind = new Int32Array(0);
  request = new Int32Array(0);
  firstRequest = new Int32Array(0);
  requestedAt = new Int32Array(0);
  started = new Int32Array(0);
  attempt = new Int32Array(0);
  lockStart = new Int32Array(0);
  lockCount = new Int32Array(0);

  lock = new Int32Array(0);
  owner = new Int32Array(0);
  queuePrev = new Int32Array(0);
  queueNext = new Int32Array(0);

  /** The instances as they were submitted; never changed. */
  instances: ActionInstance[] = [];

  /** Makes room for `more` rows and gives the first of them; their instances are to be filled in. */
  addMany(more: number): number {
    const first = this.count;
    this.count += more;
    if (this.status.length < this.count)
      for (const column of COLUMNS) this[column] = grown(this[column] as Int32Array, this.count) as never;
    return first;
  }

  add(instance: ActionInstance): number {
    const row = this.addMany(1);
    this.instances[row] = instance;
    return row;
  }

  /** Makes room for the locks of actions to come. */
  reserveLocks(more: number): void {
    for (const column of POOL_COLUMNS) this[column] = grown(this[column], this.poolSize + more);
  }

  setLocks(row: number, locks: readonly number[], extra = -1): void {
    const start = this.poolSize;
    const count = locks.length + (extra < 0 ? 0 : 1);
    this.lockStart[row] = start;
    this.lockCount[row] = count;
    this.poolSize += count;
    if (this.lock.length < this.poolSize) this.reserveLocks(0);
    for (let i = 0; i < locks.length; i++) {
      this.lock[start + i] = locks[i]!;
      this.owner[start + i] = row;
    }
    if (extra >= 0) {
      this.lock[start + count - 1] = extra;
      this.owner[start + count - 1] = row;
    }
  }

  clone(): ActionTable {
    const copy = new ActionTable();
    copy.count = this.count;
    copy.poolSize = this.poolSize;
    for (const column of COLUMNS) copy[column] = this[column].slice(0, this.count) as never;
    for (const column of POOL_COLUMNS) copy[column] = this[column].slice(0, this.poolSize);
    copy.instances = this.instances.slice();
    return copy;
  }

  /** The used part of each column that an image needs, under its name. */
  usedColumns(): [string, Column][] {
    const used = (names: readonly (typeof COLUMNS | typeof POOL_COLUMNS)[number][], count: number) =>
      names.filter((name) => !REBUILT.has(name)).map((name): [string, Column] => [name, this[name].subarray(0, count)]);
    return [...used(COLUMNS, this.count), ...used(POOL_COLUMNS, this.poolSize)];
  }

  /** Takes over columns that `usedColumns` has given, and makes the others. */
  takeColumns(columns: ReadonlyMap<string, Column>, instances: ActionInstance[]): void {
    this.count = columns.get('status')!.length;
    this.poolSize = columns.get('lock')!.length;
    this.instances = instances;
    for (const name of COLUMNS) this[name] = (columns.get(name) ?? new Int32Array(this.count)) as never;
    for (const name of POOL_COLUMNS) this[name] = (columns.get(name) ?? new Int32Array(this.poolSize)) as never;
    for (let row = 0; row < this.count; row++)
      this.owner.fill(row, this.lockStart[row]!, this.lockStart[row]! + this.lockCount[row]!);
  }
}
