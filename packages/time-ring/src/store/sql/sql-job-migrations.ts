import type { Migration } from '@horae/clock-store/storage';
import { BUCKETS } from '../../routing/route-hash.js';
import { addColumn } from './sql-add-column.js';
import { alertColumns, alertTables, deliveryColumns, deliveryTables, traceColumns } from './sql-alert-tables.js';
import { askingColumns, askingIndexes } from './sql-asking-tables.js';
import { declaringColumns, declaringTables } from './sql-declaring-tables.js';
import { eventTables, listeningColumns } from './sql-event-tables.js';
import { flowColumns, flowTables } from './sql-flow-tables.js';
import { hourTables } from './sql-hour-tables.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { listingIndexes } from './sql-listing-indexes.js';
import { lockRow } from './sql-lock-row.js';
import { ringIndexes, ringTables } from './sql-ring-tables.js';
import { triggerFunction } from './sql-trigger-function.js';
import { unownedIndexes, waitingColumns, waitingTables } from './sql-waiting-tables.js';

/** The settings rows that transactions lock: to add a job, and to change the children of jobs. */
export const JOB_IDS = 'job-ids';
export const FAMILIES = 'families';
/** Counts the changes of groups. */
export const GROUPS_VERSION = 'groups-version';
/** Transactions that start runs share-lock this row; a transaction that pauses a group locks it exclusively. */
export const GROUPS = 'groups';

/**
 * Every statement can run again: MySQL commits each separately, so a crash may leave only the first ones. `wakeChannel` is the channel on
 * which nodes of a PostgreSQL database are woken.
 */
export const jobMigrations = (wakeChannel: string | null): readonly Migration[] => [
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
  {
    // Runs that wait, are due later or change owners; executors in the process of a node; descriptions of jobs.
    name: '0002-waiting',
    async up(db, dialect) {
      for (const column of waitingColumns(dialect)) await addColumn(db, dialect, column);
      for (const statement of waitingTables(dialect)) await statement.execute(db);
    },
  },
  {
    // Requested runs: unique keys, labels, results, errors and progress.
    name: '0003-asking',
    async up(db, dialect) {
      for (const column of askingColumns(dialect)) await addColumn(db, dialect, column);
      for (const statement of askingIndexes(dialect)) await statement.execute(db);
      if (dialect === 'postgres') await triggerFunction(null).execute(db);
    },
  },
  {
    // Jobs that programs declare, in namespaces; calendars, groups, and the counts for limits.
    name: '0004-declaring',
    async up(db, dialect) {
      for (const column of declaringColumns(dialect)) await addColumn(db, dialect, column);
      for (const statement of declaringTables(dialect)) await statement.execute(db);
      await insertIfAbsent(db, dialect, 'horae_ring_settings', { name: GROUPS, value: '' });
    },
  },
  {
    // Lists of a long history with one filter, and the columns written where members of a cluster would only read.
    name: '0005-indexes',
    up: listingIndexes,
  },
  {
    // Rules of jobs, and the outbox of alerts.
    name: '0006-alerts',
    async up(db, dialect) {
      for (const column of alertColumns(dialect)) await addColumn(db, dialect, column);
      for (const statement of alertTables(dialect)) await statement.execute(db);
    },
  },
  {
    // The trace that a run belongs to.
    name: '0007-traces',
    async up(db, dialect) {
      for (const column of traceColumns(dialect)) await addColumn(db, dialect, column);
    },
  },
  {
    // The outcomes of alerts.
    name: '0008-alert-deliveries',
    async up(db, dialect) {
      for (const column of deliveryColumns(dialect)) await addColumn(db, dialect, column);
      for (const statement of deliveryTables(dialect)) await statement.execute(db);
    },
  },
  {
    // The events that nodes share while any node listens, and the version that changes with every group.
    name: '0009-events',
    async up(db, dialect) {
      await insertIfAbsent(db, dialect, 'horae_ring_settings', { name: GROUPS_VERSION, value: '0' });
      for (const column of listeningColumns()) await addColumn(db, dialect, column);
      for (const statement of eventTables(dialect)) await statement.execute(db);
    },
  },
  {
    // A trigger by SQL wakes the nodes.
    name: '0010-trigger-notice',
    async up(db, dialect) {
      if (dialect === 'postgres') await triggerFunction(wakeChannel).execute(db);
    },
  },
  {
    // Flows and their steps, and the runs that are steps.
    name: '0011-flows',
    async up(db, dialect) {
      for (const column of flowColumns(dialect)) await addColumn(db, dialect, column);
      for (const statement of flowTables(dialect)) await statement.execute(db);
    },
  },
  {
    // Runs by hour and group, for reports.
    name: '0012-hours',
    async up(db, dialect) {
      for (const statement of hourTables(dialect)) await statement.execute(db);
    },
  },
  {
    // Unowned runs, in the order in which they are taken: a long backlog is not sorted for each batch.
    name: '0013-unowned',
    async up(db, dialect) {
      for (const statement of unownedIndexes(dialect)) await statement.execute(db);
    },
  },
];
