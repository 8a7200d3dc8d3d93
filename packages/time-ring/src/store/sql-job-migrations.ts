import type { Migration } from '@horae/clock-store/storage';
import { BUCKETS } from '../decide/route-hash.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { lockRow } from './sql-lock-row.js';
import { ringIndexes, ringTables } from './sql-ring-tables.js';

/** The rows of the settings that transactions hold: to add a job, and to change which job follows which. */
export const JOB_IDS = 'job-ids';
export const FAMILIES = 'families';

/** Every statement can be run again: MySQL commits each by itself, so a crash may leave the first half. */
export const jobMigrations: readonly Migration[] = [
  {
    name: '0001-ring',
    async up(db, dialect) {
      for (const statement of [...ringTables(dialect), ...ringIndexes(dialect)]) await statement.execute(db);
      await insertIfAbsent(db, dialect, lockRow.table, { [lockRow.column]: lockRow.value });
      await insertIfAbsent(db, dialect, 'horae_ring_settings', { name: JOB_IDS, value: '0' });
      await insertIfAbsent(db, dialect, 'horae_ring_settings', { name: FAMILIES, value: '' });
      for (let bucket = 0; bucket < BUCKETS; bucket++) {
        await insertIfAbsent(db, dialect, 'horae_ring_buckets', { bucket, owner: null, epoch: 0, expires_at: 0 });
      }
    },
  },
];
