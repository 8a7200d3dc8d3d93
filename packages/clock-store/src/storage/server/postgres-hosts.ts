import type pg from 'pg';
import type { ServerAddress } from '../base/database-url.js';
import { DatabaseUnreachableError, ServerReadOnlyError, TooManyConnectionsError } from '../base/storage-errors.js';
import { translateServerError } from './server-faults.js';

/** The hosts of a URL, and the one that new connections are made to: the latest that was good. */
export class PostgresHosts {
  #index = 0;

  constructor(readonly addresses: readonly ServerAddress[]) {}

  get count(): number {
    return this.addresses.length;
  }

  get current(): ServerAddress {
    return this.addresses[this.#index]!;
  }

  /** Goes on to the next host, unless another connection has left `address` already. */
  leave(address: ServerAddress): void {
    if (address === this.current) this.#index = (this.#index + 1) % this.count;
  }

  /** The client of a driver that connects to the current host. */
  clientOf(driver: typeof pg): typeof pg.Client {
    const hosts = this;
    return class HostClient extends driver.Client {
      constructor(config?: pg.ClientConfig) {
        // Not a copy: the pool hides the password and the key when its properties are listed.
        super(Object.assign(Object.create(config ?? null), hosts.current));
      }
    };
  }
}

/** Errors that another host may not have. */
const passing = [DatabaseUnreachableError, TooManyConnectionsError, ServerReadOnlyError];

/** Connects by `connect`, at each host at most once, until one of them accepts a connection; `url` is for the errors. */
export async function connectToOne<C>(hosts: PostgresHosts, url: string, connect: () => Promise<C>): Promise<C> {
  let readOnly: ServerReadOnlyError | undefined;
  for (let tried = 1; ; tried++) {
    const address = hosts.current;
    try {
      return await connect();
    } catch (error) {
      const fault = translateServerError(error, url);
      if (!passing.some((kind) => fault instanceof kind)) throw fault;
      hosts.leave(address);
      if (fault instanceof ServerReadOnlyError) readOnly = fault;
      // The error of a host that answers but takes no writes says more than that of a host that does not answer.
      if (tried >= hosts.count) throw readOnly ?? fault;
    }
  }
}
