import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenDatabaseOptions, openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

/** A certificate that is its own authority, for the names given. */
async function certificateFor(names: readonly { type: number; value?: string; ip?: string }[]) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'horae test' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: names as never },
    ],
  });
  return { cert, key };
}

const DNS = 2;

describe.each([
  {
    name: 'PostgreSQL',
    start: startTestPostgres as typeof startTestMariadb,
    encrypted: sql<{ is: unknown }>`select ssl as "is" from pg_stat_ssl where pid = pg_backend_pid()`,
  },
  {
    name: 'MariaDB',
    start: startTestMariadb,
    encrypted: sql<{ is: unknown }>`
      select variable_value <> '' as \`is\` from information_schema.session_status where variable_name = 'Ssl_cipher'`,
  },
])('$name', ({ start, encrypted }) => {
  let own: Awaited<ReturnType<typeof certificateFor>>;
  let servers: readonly (TestServer | 'unavailable')[] = [];
  beforeAll(async () => {
    own = await certificateFor([{ type: DNS, value: 'localhost' }]);
    servers = await Promise.all([start({ tls: own }), start()]);
  });
  afterAll(async () => {
    for (const server of servers) if (server !== 'unavailable') await server.stop();
  });

  function urlOf(which: 'with' | 'without', host: string, query = ''): string | null {
    const server = servers[which === 'with' ? 0 : 1]!;
    if (server === 'unavailable') return null;
    return `${server.url.replace('127.0.0.1', host)}${query}`;
  }

  async function isEncrypted(url: string, options: OpenDatabaseOptions = {}): Promise<boolean> {
    await using database = await openDatabase(url, options);
    const { rows } = await encrypted.execute(database.kysely);
    return Boolean(rows[0]?.is);
  }

  async function caFile(): Promise<string> {
    const path = join(await temporaryFolder(), 'ca.pem');
    await writeFile(path, own.cert);
    return path;
  }

  test.for([
    { mode: 'disable', host: '127.0.0.1', ca: false, outcome: false },
    { mode: 'prefer', host: '127.0.0.1', ca: false, outcome: true },
    { mode: 'require', host: '127.0.0.1', ca: false, outcome: true },
    { mode: 'require', host: '127.0.0.1', ca: true, outcome: true },
    { mode: 'verify-ca', host: '127.0.0.1', ca: true, outcome: true },
    { mode: 'verify-ca', host: '127.0.0.1', ca: false, outcome: 'refused' },
    { mode: 'verify-full', host: 'localhost', ca: true, outcome: true },
    { mode: 'verify-full', host: '127.0.0.1', ca: true, outcome: 'refused' },
    { mode: 'verify-full', host: 'localhost', ca: false, outcome: 'refused' },
  ] as const)(
    'sslmode=$mode to $host, its authority given: $ca, encrypts: $outcome',
    async ({ mode, host, ca, outcome }, context) => {
      const url = urlOf('with', host, `?sslmode=${mode}${ca ? `&sslrootcert=${await caFile()}` : ''}`);
      if (url === null) return context.skip('MariaDB is not installed here');
      if (outcome !== 'refused') expect(await isEncrypted(url)).toBe(outcome);
      else
        await expect(openDatabase(url)).rejects.toMatchObject({ code: 'database-tls', details: { isOffered: true } });
    },
  );

  test('without a word about encryption the connection is plain; ssl: true checks, and other options say otherwise', async (context) => {
    const url = urlOf('with', 'localhost');
    const byAddress = urlOf('with', '127.0.0.1');
    if (url === null || byAddress === null) return context.skip('MariaDB is not installed here');
    expect(await isEncrypted(url)).toBe(false);
    await expect(openDatabase(url, { ssl: true })).rejects.toMatchObject({ code: 'database-tls' });
    await expect(openDatabase(`${url}?ssl=true`)).rejects.toMatchObject({ code: 'database-tls' });
    expect(await isEncrypted(url, { ssl: { ca: own.cert } })).toBe(true);
    expect(await isEncrypted(url, { ssl: { rejectUnauthorized: false } })).toBe(true);
    expect(await isEncrypted(byAddress, { ssl: { ca: own.cert, servername: 'localhost' } })).toBe(true);
    await expect(openDatabase(byAddress, { ssl: { ca: own.cert } })).rejects.toMatchObject({ code: 'database-tls' });
    expect(await isEncrypted(`${url}?sslmode=require`, { ssl: false })).toBe(false);
  });

  test('a server that offers no encryption is refused by name, unless the URL only prefers it', async (context) => {
    const url = urlOf('without', '127.0.0.1');
    if (url === null) return context.skip('MariaDB is not installed here');
    for (const query of ['?sslmode=require', '?sslmode=verify-full', '?ssl=true']) {
      const refused = openDatabase(url + query);
      await expect(refused).rejects.toMatchObject({ code: 'database-tls', details: { isOffered: false } });
    }
    expect(await isEncrypted(`${url}?sslmode=prefer`)).toBe(false);
  });

  test('a file of certificates that cannot be read is named, with its parameter', async (context) => {
    const url = urlOf('with', 'localhost', '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem');
    if (url === null) return context.skip('MariaDB is not installed here');
    await expect(openDatabase(url)).rejects.toMatchObject({
      code: 'bad-database-url',
      details: { parameter: 'sslrootcert' },
      message: expect.stringContaining('/nowhere/ca.pem'),
    });
  });

  test('poolSize and statementTimeoutMs of the URL count, and options count more', async (context) => {
    const url = urlOf('with', '127.0.0.1', '?poolSize=1&statementTimeoutMs=300');
    if (url === null) return context.skip('MariaDB is not installed here');
    const sleep = url.startsWith('postgres') ? sql`select pg_sleep(5)` : sql`select sleep(5)`;
    await using database = await openDatabase(url);
    await expect(sleep.execute(database.kysely)).rejects.toMatchObject({ code: 'statement-timeout' });
    await using patient = await openDatabase(url, { statementTimeoutMs: 20_000 });
    await sleep.execute(patient.kysely);
  });
});
