import { randomUUID } from 'node:crypto';
import type { Clock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { createScheduler } from '@horae/declarative-scheduler';
import { createExecutor, startTimeRing, typedRing } from '@horae/time-ring';
import { type Deliver, shopHandlers } from './handlers.js';
import { migrations, type OrderRow } from './tables.js';

export interface ShopOptions {
  /** sqlite:./shop.db, postgres://… or mysql://… */
  database: string;
  deliver: Deliver;
  /** For tests. */
  clock?: Clock;
}

export interface Shop {
  /** Stores the order and asks for its mail: both or neither. */
  order(input: { email: string; item: string }): Promise<OrderRow>;
  /** The order and what became of its mail. */
  find(id: string): Promise<(OrderRow & { mail: string }) | null>;
  stop(): Promise<void>;
}

/** One database for orders, queue and tasks. */
export async function openShop({ database: url, deliver, clock }: ShopOptions): Promise<Shop> {
  const time = clock === undefined ? {} : { clock };
  const database = await openDatabase(url, time);
  await database.migrate('shop', migrations);

  const ring = await startTimeRing({ database, ...time });
  const handlers = shopHandlers(deliver);
  await createExecutor({ ring, handlers });
  const queue = typedRing(ring, handlers);
  await queue.put({ key: 'mail', name: 'Mail', handler: 'mail', schedule: { kind: 'none' }, retries: 5 });

  /** A task and not a job: it belongs to the source, and one process does it. */
  const digest = async () => {
    const orders = await database.kysely.selectFrom('shop_orders').select('id').execute();
    await queue.trigger('mail', { params: { to: 'ops@example.org', subject: `${orders.length} orders so far` } });
  };
  const tasks = createScheduler({ database, dialect: 'vixie', zone: 'UTC', ...time });
  await tasks.initialize([['digest', '0 8 * * mon-fri', digest, '5m']]);

  return {
    async order({ email, item }) {
      const id = randomUUID();
      return await database.transaction(async (trx) => {
        const params = { to: email, subject: `Your order: ${item}` };
        const run = await queue.trigger('mail', { params, transaction: trx });
        const order: OrderRow = { id, email, item, mail_run: run.id };
        await trx.insertInto('shop_orders').values(order).execute();
        return order;
      });
    },
    async find(id) {
      const [order] = (await database.kysely
        .selectFrom('shop_orders')
        .selectAll()
        .where('id', '=', id)
        .execute()) as OrderRow[];
      if (order === undefined) return null;
      const run = order.mail_run === null ? null : await ring.runs.get(order.mail_run);
      return { ...order, mail: run?.state ?? 'unknown' };
    },
    async stop() {
      await tasks.stop();
      await ring.stop();
      await database.close();
    },
  };
}
