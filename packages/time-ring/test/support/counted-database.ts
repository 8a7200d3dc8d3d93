import type { AnyTransaction, HoraeDatabase } from '@horae/clock-store/storage';
import type { KyselyPlugin } from 'kysely';

/** A database that counts the statements sent to it, the beginning and the end of each transaction among them. */
export function countedDatabase(database: HoraeDatabase): { database: HoraeDatabase; statements(): number } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const kysely = database.kysely.withPlugin(plugin);
  const transaction: HoraeDatabase['transaction'] = (work, options) => {
    count += 2;
    return database.transaction((trx) => work(trx.withPlugin(plugin) as AnyTransaction), options);
  };
  const counted = new Proxy(database, {
    get(target, key) {
      if (key === 'kysely') return kysely;
      if (key === 'transaction') return transaction;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database: counted, statements: () => count };
}
