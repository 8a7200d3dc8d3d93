import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Backoff, backoffMs } from '../../backoff.js';
import { systemClock } from '../../system-clock.js';
import { systemRandom } from '../../system-random.js';
import type { AnyKysely, DatabaseMessages } from '../base/engine.js';
import { checkName } from '../base/migration.js';

type Listener = (text: string | null) => void;

const BACKOFF: Backoff = { firstMs: 100, longestMs: 5_000 };

/**
 * Messages between the processes of a database, by LISTEN and NOTIFY. One connection besides the pool serves all channels; it is made
 * with the first listener, and again whenever it is lost.
 */
export class PostgresMessages implements DatabaseMessages {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #closed = new AbortController();
  #connecting: Promise<pg.Client> | undefined;
  #isListening = false;

  constructor(
    /** Connects outside of the pool. */
    readonly connect: () => Promise<pg.Client>,
    /** Identifies the schema and the prefix: installations that share a database do not receive each other's messages. */
    readonly place: string,
  ) {}

  get isListening(): boolean {
    return this.#isListening;
  }

  async send(db: AnyKysely, channel: string, text: string): Promise<void> {
    await sql`select pg_notify(${this.channelName(channel)}, ${text})`.execute(db);
  }

  async listen(channel: string, onMessage: Listener): Promise<() => void> {
    const name = this.channelName(channel);
    const known = this.#listeners.get(name) ?? new Set();
    // A listener of its own, so that one function may listen twice and be removed once.
    const listener: Listener = (text) => onMessage(text);
    this.#listeners.set(name, known.add(listener));
    try {
      this.#connecting ??= this.#connectAndListen();
      const client = await this.#connecting;
      await client.query(`listen "${name}"`);
    } catch (error) {
      known.delete(listener);
      throw error;
    }
    return () => void known.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const client = await this.#connecting?.catch(() => undefined);
    await client?.end().catch(() => {});
  }

  async #connectAndListen(): Promise<pg.Client> {
    let client: pg.Client | undefined;
    try {
      client = await this.connect();
      client.on('notification', ({ channel, payload }) => this.#hear(channel, payload ?? ''));
      for (const name of this.#listeners.keys()) await client.query(`listen "${name}"`);
      client.once('end', () => {
        this.#isListening = false;
        void this.#reconnect();
      });
      this.#isListening = true;
      return client;
    } catch (error) {
      this.#connecting = undefined;
      client?.end().catch(() => {});
      throw error;
    }
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closed;
    const random = systemRandom();
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        this.#connecting = this.#connectAndListen();
        await this.#connecting;
        // Messages sent in between are lost.
        for (const name of this.#listeners.keys()) this.#hear(name, null);
        return;
      } catch {
        await systemClock()
          .sleepFor(backoffMs(attempt, BACKOFF, random), { signal })
          .catch(() => {});
      }
    }
  }

  #hear(name: string, text: string | null): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(text);
  }

  /** Channels belong to a database, and their names end at 63 characters. */
  channelName(channel: string): string {
    checkName('channel', channel);
    return `horae_${createHash('sha1').update(`${this.place} ${channel}`).digest('hex')}`;
  }
}
