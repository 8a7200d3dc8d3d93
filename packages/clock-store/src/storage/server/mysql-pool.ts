import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult } from 'kysely';
import type mysql from 'mysql2';
import type { PooledConnection, ServerPool } from './server-pool.js';

/** Members that the types of the driver lack. */
interface RawConnection {
  readonly stream: { destroy(): void };
}

type Callback = (error: unknown, result: MysqlQueryResult) => void;

/** A pool of the driver in the form that kysely expects, with a limit for each statement and for the wait for a connection. */
export function limitedMysqlPool(pool: mysql.Pool, limits: ServerPool): MysqlPool {
  const known = new WeakMap<mysql.PoolConnection, LimitedConnection>();

  function limited(connection: mysql.PoolConnection): LimitedConnection {
    const found = known.get(connection);
    if (found !== undefined) {
      found.isTaken = true;
      return found;
    }
    const made = new LimitedConnection(connection, limits);
    known.set(connection, made);
    limits.add(made);
    connection.once('end', () => limits.remove(made));
    return made;
  }

  const take = () =>
    new Promise<mysql.PoolConnection>((resolve, reject) => {
      pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
    });

  return {
    getConnection(callback) {
      limits
        .acquire(take, (connection) => connection.release())
        .then(
          (connection) => callback(null, limited(connection)),
          (error: unknown) => callback(error, undefined as never),
        );
    },
    end(callback) {
      pool.end((error) => {
        limits.close();
        callback(error);
      });
    },
  };
}

class LimitedConnection implements MysqlPoolConnection, PooledConnection {
  isTaken = true;
  isLost = false;

  constructor(
    readonly connection: mysql.PoolConnection,
    readonly limits: ServerPool,
  ) {}

  // biome-ignore lint/suspicious/noExplicitAny: two overloads of kysely's, one of which gives a stream
  query(sql: string, parameters: unknown[], callback?: Callback): any {
    if (callback === undefined) return this.connection.query(sql, parameters);
    const send = () =>
      new Promise<MysqlQueryResult>((resolve, reject) => {
        this.connection.query(sql, parameters, (error, result) => (error ? reject(error) : resolve(result as never)));
      });
    this.limits.statement(this, send).then(
      (result) => callback(null, result),
      (error: unknown) => callback(error, undefined as never),
    );
  }

  get session(): number | undefined {
    return this.connection.threadId ?? undefined;
  }

  release(): void {
    this.isTaken = false;
    if (this.isLost) this.connection.destroy();
    else this.connection.release();
  }

  cut(): void {
    (this.connection as unknown as RawConnection).stream.destroy();
  }
}
