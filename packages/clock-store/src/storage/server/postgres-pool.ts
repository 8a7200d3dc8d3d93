import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { ServerReadOnlyError } from '../base/storage-errors.js';
import { connectToOne, type PostgresHosts } from './postgres-hosts.js';
import type { PooledConnection, ServerPool } from './server-pool.js';

/** Members that the types of the driver lack. */
interface RawClient {
  readonly connection: { readonly stream: { destroy(): void } };
  readonly processID: number | null;
}

/** Where connections are made to. */
export interface PostgresTargets {
  readonly hosts: PostgresHosts;
  /** A host that takes no writes is passed over. */
  readonly isWritable: boolean;
  /** Closes the connections besides the pool. */
  onEnd?(): Promise<void>;
}

/** SQLSTATE of a write that the server, or the transaction, does not take. */
const READ_ONLY = '25006';

/** A pool of the driver in the form that kysely expects, with a limit for each statement. */
export function limitedPostgresPool(pool: pg.Pool, limits: ServerPool, targets: PostgresTargets): PostgresPool {
  const known = new WeakMap<pg.PoolClient, LimitedClient>();
  const { hosts, isWritable } = targets;
  // A primary that became a standby: this connection and the idle ones go, and the next one is made to another host.
  const onReadOnly = (client: LimitedClient) => {
    if (!isWritable) return;
    client.isLost = true;
    limits.cutIdle();
  };

  function limited(client: pg.PoolClient): LimitedClient {
    const found = known.get(client);
    if (found !== undefined) {
      found.isTaken = true;
      return found;
    }
    const made = new LimitedClient(client, limits, onReadOnly);
    known.set(client, made);
    limits.add(made);
    client.once('end', () => limits.remove(made));
    return made;
  }

  async function take(): Promise<LimitedClient> {
    const client = await limits.acquire(
      () => pool.connect(),
      (late) => late.release(),
    );
    const isNew = !known.has(client);
    const taken = limited(client);
    if (isNew && isWritable) await checkWritable(taken);
    return taken;
  }

  return {
    connect: () => connectToOne(hosts, limits.url, take),
    async end() {
      await targets.onEnd?.();
      await pool.end();
      limits.close();
    },
  };
}

class LimitedClient implements PostgresPoolClient, PooledConnection {
  isTaken = true;
  isLost = false;

  constructor(
    readonly client: pg.PoolClient,
    readonly limits: ServerPool,
    readonly onReadOnly: (client: LimitedClient) => void,
  ) {}

  // biome-ignore lint/suspicious/noExplicitAny: two overloads of kysely's, of which the one with a cursor is never called here
  query(sql: any, parameters?: readonly unknown[]): any {
    return this.limits.statement(this, () => this.#send(sql, parameters as unknown[]));
  }

  get session(): number | undefined {
    return (this.client as unknown as RawClient).processID ?? undefined;
  }

  async #send(sql: string, parameters: unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.client.query(sql, parameters);
    } catch (error) {
      if ((error as { code?: unknown }).code === READ_ONLY) this.onReadOnly(this);
      throw error;
    }
  }

  release(): void {
    this.isTaken = false;
    this.client.release(this.isLost);
  }

  cut(): void {
    (this.client as unknown as RawClient).connection.stream.destroy();
  }
}

/** Queries once per connection; one that takes no writes is closed. */
async function checkWritable(client: LimitedClient): Promise<void> {
  try {
    const { rows } = await client.query('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'on') return;
  } catch (error) {
    client.isLost = true;
    client.release();
    throw error;
  }
  client.isLost = true;
  client.release();
  const { url } = client.limits;
  throw new ServerReadOnlyError(
    `No host of ${url} takes writes now: the primary is away, or is none of these hosts; wait for it, or name it in the URL`,
    { url },
  );
}
