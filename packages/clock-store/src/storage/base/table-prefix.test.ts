import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AnyKysely } from './engine.js';
import { tablePrefix } from './table-prefix.js';

const { plugins, rewrite } = tablePrefix('x_');
const db: AnyKysely = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins,
});

test.each([
  {
    story: 'a join with an alias and a reference by the table name',
    query: db
      .selectFrom('notes')
      .innerJoin('people as p', 'p.id', 'notes.author')
      .select(['notes.text', 'p.name'])
      .compile(),
    text: 'select "x_notes"."text", "p"."name" from "x_notes" inner join "x_people" as "p" on "p"."id" = "x_notes"."author"',
  },
  {
    story: 'a common table expression, which is no table',
    query: db
      .with('recent', (with_) => with_.selectFrom('notes').selectAll())
      .selectFrom('recent')
      .selectAll()
      .compile(),
    text: 'with "recent" as (select * from "x_notes") select * from "recent"',
  },
  {
    story: 'a table with a reference to another',
    query: db.schema
      .createTable('notes')
      .addColumn('author', 'integer', (column) => column.references('people.id'))
      .compile(),
    text: 'create table "x_notes" ("author" integer references "x_people" ("id"))',
  },
  {
    story: 'a new index, whose name is as unique as that of a table',
    query: db.schema.createIndex('notes_text').on('notes').column('text').compile(),
    text: 'create index "x_notes_text" on "x_notes" ("text")',
  },
  {
    story: 'an index that goes',
    query: db.schema.dropIndex('notes_text').compile(),
    text: 'drop index "x_notes_text"',
  },
  {
    story: 'the new name of a table',
    query: db.schema.alterTable('notes').renameTo('letters').compile(),
    text: 'alter table "x_notes" rename to "x_letters"',
  },
  {
    story: 'a table of the system, which keeps its name',
    query: db.selectFrom('pg_class').selectAll().compile(),
    text: 'select * from "pg_class"',
  },
  {
    story: 'tables in SQL written by hand, in quotes or not',
    query:
      sql`update horae_jobs set n = horae_jobs.n + 1 from "horae_runs" where 'horae_jobs' = ${'horae_jobs'}`.compile(
        db,
      ),
    text: `update x_horae_jobs set n = x_horae_jobs.n + 1 from "x_horae_runs" where 'x_horae_jobs' = $1`,
  },
  {
    story: 'names in SQL written by hand that only look alike',
    query: sql`select my_horae_jobs, horae, 'horae:lock' from my_horae_jobs`.compile(db),
    text: "select my_horae_jobs, horae, 'horae:lock' from my_horae_jobs",
  },
])('the prefix goes into $story', ({ query, text }) => {
  expect(rewrite(query.sql)).toBe(text);
  expect(rewrite(query.sql), 'the second time from memory').toBe(text);
});

test('a parameter is never touched', () => {
  const query = sql`select ${'horae_jobs'} as a`.compile(db);
  expect({ text: rewrite(query.sql), parameters: query.parameters }).toEqual({
    text: 'select $1 as a',
    parameters: ['horae_jobs'],
  });
});

test('without a prefix nothing changes', () => {
  const none = tablePrefix('');
  expect(none.plugins).toEqual([]);
  expect(none.rewrite('select * from horae_jobs')).toBe('select * from horae_jobs');
});
