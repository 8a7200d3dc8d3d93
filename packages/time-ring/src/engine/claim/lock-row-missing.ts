import { TimeRingError } from '../../model/errors.js';
import { lockRow } from '../../store/sql/sql-lock-row.js';

/** Without the lock row no node schedules: without a lock, all nodes would schedule at once. */
export function lockRowMissing(): TimeRingError {
  const { table, column, value } = lockRow;
  return new TimeRingError(
    'lock-row-missing',
    `The lock row is not there; put it back with: insert into ${table} (${column}) values ('${value}')`,
    { field: table, value },
  );
}
