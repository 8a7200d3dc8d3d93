import { TimeRingError } from '../../model/errors.js';
import { lockRow } from '../../store/sql/sql-lock-row.js';

/** Without its lock row nobody schedules: "no lock" would mean that everybody does. */
export function lockRowMissing(): TimeRingError {
  const { table, column, value } = lockRow;
  return new TimeRingError(
    'lock-row-missing',
    `The lock row is not there; put it back with: insert into ${table} (${column}) values ('${value}')`,
    { field: table, value },
  );
}
