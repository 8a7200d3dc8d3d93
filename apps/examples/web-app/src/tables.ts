import type { Migration } from '@horae/clock-store/storage';

/** The shop's own tables, beside those of the ring and of the tasks. */
export const migrations: readonly Migration[] = [
  {
    name: '0001-orders',
    up: (db) =>
      db.schema
        .createTable('shop_orders')
        .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
        .addColumn('email', 'varchar(200)', (column) => column.notNull())
        .addColumn('item', 'varchar(200)', (column) => column.notNull())
        .addColumn('mail_run', 'integer')
        .execute(),
  },
];

export interface OrderRow {
  id: string;
  email: string;
  item: string;
  mail_run: number | null;
}
