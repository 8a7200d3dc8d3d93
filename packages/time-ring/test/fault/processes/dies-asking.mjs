import { openDatabase } from '@horae/clock-store/storage';
import { connectTimeRing } from '@horae/time-ring';
import { sql } from 'kysely';

// Asks for something and kills itself before the statement `dieAt`. The beginning and the end of a transaction count as statements,
// and so does the answer to a commit. Tells how many there were when it lives.
const { database: url, what, dieAt } = JSON.parse(process.argv[2]);
const database = await openDatabase(url);
let isAsking = false;
let count = 0;
function statement() {
  if (!isAsking) return;
  count += 1;
  if (count === dieAt) process.kill(process.pid, 'SIGKILL');
}
const plugin = {
  transformQuery({ node }) {
    statement();
    return node;
  },
  transformResult: async ({ result }) => result,
};
const kysely = database.kysely.withPlugin(plugin);
const transaction = async (work, options) => {
  statement();
  const result = await database.transaction(async (trx) => {
    const given = await work(trx.withPlugin(plugin));
    statement();
    return given;
  }, options);
  statement();
  return result;
};
const counted = new Proxy(database, {
  get(target, key) {
    if (key === 'kysely') return kysely;
    if (key === 'transaction') return transaction;
    const value = Reflect.get(target, key, target);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});
const client = await connectTimeRing({ database: counted });
/** An order of a shop, in the same transaction as what is asked for. */
const withOrder = (ask) =>
  transaction(async (trx) => {
    await sql`insert into orders (what) values (${what})`.execute(trx);
    await ask(trx);
  });
const asks = {
  trigger: () => withOrder((trx) => client.jobs.trigger('mail', { params: what, transaction: trx })),
  many: () =>
    withOrder((trx) =>
      client.jobs.triggerMany('mail', [{ params: what }, { params: what, delayMs: 500 }], { transaction: trx }),
    ),
  unique: () => client.jobs.trigger('mail', { params: what, uniqueKey: 'one', delayMs: 100 }),
  put: () => client.jobs.put({ key: 'declared', name: 'declared', handler: 'mail', schedule: { kind: 'none' } }),
  flow: () =>
    withOrder((trx) => {
      const steps = { a: { job: 'mail', params: what }, b: { job: 'mail', after: ['a'], params: { from: 'a' } } };
      return client.flows.start({ name: what, steps }, { transaction: trx });
    }),
};
isAsking = true;
await asks[what]();
isAsking = false;
process.send({ event: 'asked', count }, () => process.exit(0));
