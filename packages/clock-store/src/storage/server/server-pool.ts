import { connect, Socket } from 'node:net';
import { nextTurn, systemClock } from '../../system-clock.js';
import type { ResolvedOptions } from '../base/options.js';
import { DatabaseUnreachableError, PoolExhaustedError, StatementTimeoutError } from '../base/storage-errors.js';
import { limitsInForce } from '../base/transaction-limits.js';
import { StatementWatch } from './statement-watch.js';

/** How long the other side may be silent before the system probes it; ten probes, one second apart. */
const KEEP_ALIVE_MS = 5_000;
/** The server's own limit comes first: its error says more than a dropped connection. */
const GRACE_MS = 1_000;

/** A statement that takes longer than this may be waiting for a lock. */
const SLOW_MS = 2_000;

/** A connection of a driver's pool. */
export interface PooledConnection {
  /** Whether it is in use. */
  isTaken: boolean;
  /** A statement went over its limit: it must not go back to the pool. */
  isLost: boolean;
  /** The server's number for its session; undefined when it is not known. */
  readonly session: number | undefined;
  /** Cuts the connection without notifying the server. */
  cut(): void;
}

/** The common part of both servers' pools: sockets that notice a lost peer, and a limit per statement on this side too. */
export class ServerPool {
  readonly #watch = new StatementWatch();
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<PooledConnection>();
  /** Called when a statement of a session is still not answered after 2 s; once per statement. */
  onSlow: ((session: number, waitedMs: number, nowMs: number) => void) | undefined;

  constructor(
    readonly url: string,
    readonly options: Pick<ResolvedOptions, 'statementTimeoutMs' | 'connectTimeoutMs' | 'poolSize'>,
  ) {}

  /** A socket that is not connected yet. */
  socket(): Socket {
    return this.#track(new Socket());
  }

  connect(port: number, host: string): Socket {
    const socket = this.#track(connect(port, host));
    // Node checks a certificate against the name that a socket was connected to, which it forgets when that is an address.
    Object.assign(socket, { _host: host });
    return socket;
  }

  add(connection: PooledConnection): void {
    this.#connections.add(connection);
  }

  remove(connection: PooledConnection): void {
    this.#connections.delete(connection);
  }

  /** Runs a statement; one that goes over its limit rejects and takes its connection with it. */
  statement<T>(connection: PooledConnection, send: () => Promise<T>): Promise<T> {
    const limitMs = limitsInForce()?.statementMs ?? this.options.statementTimeoutMs;
    const answered = this.#watchSlow(connection);
    return this.#within(
      limitMs + GRACE_MS,
      () => send().finally(answered),
      () => {
        connection.isLost = true;
        connection.cut();
        // Idle connections of the pool took the same route: each would cost another limit to find out.
        this.cutIdle();
        return new StatementTimeoutError(
          `${this.url} has not answered a statement within ${limitMs} ms, and its connection was given up: is the network or the server stuck? A statement that needs longer: raise statementTimeoutMs`,
          { url: this.url, limitMs },
        );
      },
    );
  }

  /** Takes a connection; a pool that has none within the limit rejects. `late` receives a connection that arrives after that. */
  async acquire<C>(take: () => Promise<C>, late: (connection: C) => void): Promise<C> {
    const limitMs = this.options.connectTimeoutMs + GRACE_MS;
    let isOver = false;
    const taken = take().catch((error: unknown) => {
      throw isWaitOver(error) ? this.#noConnection(this.options.connectTimeoutMs, error) : error;
    });
    const giveUp = () => {
      isOver = true;
      return this.#noConnection(limitMs);
    };
    taken.then(
      (connection) => isOver && late(connection),
      () => {},
    );
    return this.#within(limitMs, () => taken, giveUp);
  }

  /** Cuts the idle connections: what broke one connection applies to them as well. */
  cutIdle(): void {
    for (const each of this.#connections) if (!each.isTaken) each.cut();
  }

  /** Cuts everything, so that nothing is waited for and nothing keeps the process alive. */
  cutAll(): void {
    this.#watch.giveUpAll();
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#watch.close();
  }

  #watchSlow({ session }: PooledConnection): () => void {
    const { onSlow } = this;
    if (onSlow === undefined || session === undefined) return () => {};
    const end = this.#watch.begin(SLOW_MS, () => onSlow(session, SLOW_MS, systemClock().monotonicMs()));
    return () => void end();
  }

  #noConnection(waitedMs: number, cause?: unknown): Error {
    const { url } = this;
    const { poolSize } = this.options;
    const options = cause === undefined ? {} : { cause };
    const taken = [...this.#connections].filter(({ isTaken }) => isTaken).length;
    if (taken >= poolSize) {
      return new PoolExhaustedError(
        `All ${poolSize} connections to ${url} were in use for ${waitedMs} ms: raise poolSize, or end transactions sooner`,
        { url, poolSize, waitedMs },
        options,
      );
    }
    return new DatabaseUnreachableError(
      `${url} gave no connection within ${waitedMs} ms: is the server running and the address right?`,
      { url },
      options,
    );
  }

  #within<T>(limitMs: number, work: () => Promise<T>, onOver: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = this.#watch.begin(limitMs, () => {
        isOver = true;
        const error = onOver();
        // A caller that retries at once must find the pool without the connections that were cut.
        void nextTurn().then(() => reject(error));
      });
      work().then(
        (value) => {
          end();
          resolve(value);
        },
        (error: unknown) => {
          end();
          if (!isOver) reject(error);
        },
      );
    });
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('connect', () => socket.setKeepAlive(true, KEEP_ALIVE_MS));
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** Whether PostgreSQL's driver reports that no connection was returned to its pool in time. */
function isWaitOver(error: unknown): boolean {
  return error instanceof Error && /timeout exceeded when trying to connect/.test(error.message);
}
