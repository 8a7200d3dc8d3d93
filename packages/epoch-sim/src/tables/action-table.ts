import type { ActionInstance } from '../interchange/interchange.js';
import { ActionRecords, RECORD_COLUMNS } from './action-records.js';
import { type Column, grown } from './columns.js';
import { LockPool } from './lock-pool.js';

/** The state of an action. */
export const Status = { future: 0, waiting: 1, running: 2, suspended: 3, ended: 4, cancelled: 5, rejected: 6 } as const;

/** The properties of an action, as bits. */
export const Flag = {
  interruptible: 1,
  triggers: 2,
  preempts: 4,
  failsOnConflict: 8,
  visible: 16,
  followUp: 32,
  /** It waits for resources, has patience, or comes after other actions: more has to be checked than its locks. */
  special: 64,
} as const;

const FILLED: ReadonlySet<string> = new Set(['flags', 'due', 'span', 'priority', 'name', 'kind']);

/**
 * All actions of a state; an action is a row number. Values that are rarely read are in columns beside the records. The locks of an action
 * are a stretch of the pool.
 */
export class ActionTable extends ActionRecords {
  name = new Int32Array(0);
  priority = new Float64Array(0);
  pool = new LockPool();

  /** The instances as they were submitted; never changed. */
  instances: ActionInstance[] = [];

  /** Makes room for `more` rows and returns the first of them; their instances are to be filled in. */
  override addMany(more: number): number {
    const first = super.addMany(more);
    this.name = grown(this.name, this.count);
    this.priority = grown(this.priority, this.count);
    return first;
  }

  add(instance: ActionInstance): number {
    const row = this.addMany(1);
    this.instances[row] = instance;
    return row;
  }

  setLocks(row: number, locks: readonly number[], units?: readonly number[]): void {
    this.setLockStart(row, this.pool.size);
    for (let i = 0; i < locks.length; i++) this.pool.add(locks[i]!, row, units?.[i] ?? 1);
    this.setLockCount(row, locks.length);
  }

  /** The locks that an action needs. */
  locksOf(row: number): number[] {
    const start = this.lockStart(row);
    return Array.from({ length: this.lockCount(row) }, (_, i) => this.pool.lock(start + i));
  }

  clone(): ActionTable {
    const copy = new ActionTable();
    copy.copyRecords(this);
    copy.name = this.name.slice(0, this.count);
    copy.priority = this.priority.slice(0, this.count);
    copy.pool = this.pool.clone();
    copy.instances = this.instances.slice();
    return copy;
  }

  /** Every column that an image needs, under its name. Queues and back references follow from the others. */
  usedColumns(): [string, Column][] {
    const column = (name: (typeof RECORD_COLUMNS)[number]): [string, Column] => [name, this.column(name, this.count)];
    const [status, flags, due, span, ...others] = RECORD_COLUMNS;
    return [
      ...[status, flags, due, span].map(column),
      ['priority', this.priority.subarray(0, this.count)],
      ['name', this.name.subarray(0, this.count)],
      ...others.map(column),
      ...this.lockColumns(),
    ];
  }

  /** The locks of all places, and the units where they differ from one. */
  lockColumns(): [string, Column][] {
    const units = this.pool.allUnits();
    const locks: [string, Column] = ['lock', this.pool.locks()];
    return units === null ? [locks] : [locks, ['unit', units]];
  }

  /** The values of an action that never change once filled in, and the values that it was filled in with. */
  filledColumns(): [string, Column][] {
    return this.usedColumns().filter(([name]) => FILLED.has(name));
  }

  /** Takes over what `usedColumns` has returned. */
  takeColumns(columns: ReadonlyMap<string, Column>, instances: ActionInstance[]): void {
    super.addMany(columns.get('status')!.length);
    this.instances = instances;
    this.name = columns.get('name') as Int32Array<ArrayBuffer>;
    this.priority = columns.get('priority') as Float64Array<ArrayBuffer>;
    for (const name of RECORD_COLUMNS) this.setColumn(name, columns.get(name)!);
    const lock = columns.get('lock')!;
    const unit = columns.get('unit');
    const owner = new Int32Array(lock.length);
    for (let row = 0; row < this.count; row++)
      owner.fill(row, this.lockStart(row), this.lockStart(row) + this.lockCount(row));
    this.pool.reserve(lock.length);
    for (let place = 0; place < lock.length; place++) this.pool.add(lock[place]!, owner[place]!, unit?.[place] ?? 1);
  }
}
