import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyPlugin,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

type Execute = (sql: string, parameters: unknown[]) => Promise<readonly object[]>;

/** Columns of 64-bit integers, which drivers tend to return as strings. */
const bigints = new Set(['id', 'job_id', 'fire_id', 'key_job', 'run_id', 'flow_step']);

/** Runs the ring's statements on the caller's connection. Neither begins nor ends a transaction. */
export function foreignKysely(dialect: Exclude<Dialect, 'sqlite'>, execute: Execute): AnyKysely {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const rows = await execute(sql, [...parameters]);
      if (Array.isArray(rows)) return { rows: rows.map(withNumbers) as Row[] };
      // The result of mysql2 for a statement without rows.
      const { insertId } = Object(rows) as { insertId?: number };
      return { rows: [], ...(insertId ? { insertId: BigInt(insertId) } : {}) };
    },
    // biome-ignore lint/correctness/useYield: nothing is streamed
    async *streamQuery() {
      throw new Error('Nothing is streamed through a transaction of the caller');
    },
  };
  const nothing = async () => {};
  const driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  };
  const isPostgres = dialect === 'postgres';
  const plugins: KyselyPlugin[] = [];
  return new Kysely({
    plugins,
    dialect: {
      createDriver: () => driver,
      createAdapter: () => (isPostgres ? new PostgresAdapter() : new MysqlAdapter()),
      createQueryCompiler: () => (isPostgres ? new PostgresQueryCompiler() : new MysqlQueryCompiler()),
      createIntrospector: (db) => (isPostgres ? new PostgresIntrospector(db) : new MysqlIntrospector(db)),
    },
  });
}

function withNumbers(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, bigints.has(name) && value !== null ? Number(value) : value]),
  );
}
