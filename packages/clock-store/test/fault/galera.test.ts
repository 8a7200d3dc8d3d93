import { type HoraeDatabase, type Migration, openDatabase } from '@horae/clock-store/storage';
import { startTestGalera, type TestCluster } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

let cluster: TestCluster | 'unavailable';
beforeAll(async () => {
  cluster = await startTestGalera();
}, 120_000);
afterAll(async () => {
  if (cluster !== 'unavailable') await cluster.stop();
});

const MISSING = 'Galera is not installed here; HORAE_REQUIRE_GALERA=1 makes this a failure';

/** Steps that fail when they are run twice. */
const migrations: readonly Migration[] = [1, 2, 3].map((step) => ({
  name: `000${step}-once`,
  async up(db) {
    await sql.raw(`create table horae_step_${step} (id integer not null primary key)`).execute(db);
    await sql.raw(`insert into horae_step_${step} (id) values (1)`).execute(db);
  },
}));

async function onAll<T>(urls: readonly string[], work: (database: HoraeDatabase) => Promise<T>): Promise<T[]> {
  const databases = await Promise.all(urls.map((url) => openDatabase(url)));
  try {
    return await Promise.all(databases.map(work));
  } finally {
    for (const database of databases) await database.close();
  }
}

test('members that migrate an empty database at the same moment: one does, the others find it done', async (context) => {
  if (cluster === 'unavailable') return context.skip(MISSING);
  for (let round = 0; round < 5; round++) {
    const urls = await cluster.freshDatabase();
    const answers = await onAll(urls, (database) => database.migrate('steps', migrations));
    expect(answers.sort()).toEqual(['current', 'current', 'migrated']);
  }
});

test('a lock has one holder across the members, also when the holders write different rows', {
  timeout: 60_000,
}, async (context) => {
  if (cluster === 'unavailable') return context.skip(MISSING);
  const urls = await cluster.freshDatabase();
  await onAll(urls.slice(0, 1), (database) =>
    database.kysely.schema
      .createTable('tickets')
      .addColumn('id', 'varchar(190)', (column) => column.primaryKey())
      .addColumn('place', 'integer')
      .execute(),
  );
  const places = await onAll(urls, async (database) => {
    const drawn: number[] = [];
    for (let i = 0; i < 15; i++) {
      drawn.push(
        await database.withLock('tickets', async (trx) => {
          const { count } = await trx
            .selectFrom('tickets')
            .select((select) => select.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow();
          await sql`do sleep(0.005)`.execute(trx);
          await trx
            .insertInto('tickets')
            .values({ id: `${database.url} ${i}`, place: count })
            .execute();
          return count;
        }),
      );
    }
    return drawn;
  });
  expect(places.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, place) => place));
});
