import { expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.js';

test.each([
  { url: 'sqlite:./horae.db', path: './horae.db' },
  { url: 'sqlite:horae.db', path: 'horae.db' },
  { url: 'sqlite:/var/lib/horae.db', path: '/var/lib/horae.db' },
  { url: 'sqlite:///var/lib/horae.db', path: '/var/lib/horae.db' },
  { url: 'sqlite://horae.db', path: 'horae.db' },
  { url: 'SQLITE:odd name?.db', path: 'odd name?.db' },
  { url: 'sqlite:C:\\data\\horae.db', path: 'C:\\data\\horae.db' },
])('$url is the file $path', ({ url, path }) => {
  expect(parseDatabaseUrl(url)).toEqual({ dialect: 'sqlite', printable: url, path, isMemory: false });
});

test('sqlite::memory: is a database in memory', () => {
  expect(parseDatabaseUrl('sqlite::memory:')).toMatchObject({ dialect: 'sqlite', isMemory: true });
});

test.each([
  { url: 'postgres://ann:s3cret@db:5433/app', dialect: 'postgres', printable: 'postgres://ann:***@db:5433/app' },
  { url: 'postgresql://ann:s3cret@db/app', dialect: 'postgres', printable: 'postgresql://ann:***@db/app' },
  {
    url: 'postgres://db/app?user=ann&password=s3cret',
    dialect: 'postgres',
    printable: 'postgres://db/app?user=ann&password=***',
  },
  { url: 'mysql://ann:s3cret@db/app', dialect: 'mysql', printable: 'mysql://ann:***@db/app' },
  { url: 'mariadb://ann:s3cret@db/app', dialect: 'mysql', printable: 'mariadb://ann:***@db/app' },
  { url: 'postgres://ann@db/app', dialect: 'postgres', printable: 'postgres://ann@db/app' },
  {
    url: 'mysql://ann:s3cret@[::1]:3307/app?sslmode=require&poolSize=3',
    dialect: 'mysql',
    printable: 'mysql://ann:***@[::1]:3307/app?sslmode=require&poolSize=3',
  },
])('$printable is a $dialect server and does not show its password', ({ url, dialect, printable }) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ dialect, printable, user: 'ann' });
});

test('the parts of a URL are given without their encoding', () => {
  expect(parseDatabaseUrl('postgres://a%40n:p%23%2F@[::1]:5433/my%20app?sslmode=verify-ca&poolSize=3')).toMatchObject({
    hosts: [{ host: '::1', port: 5433 }],
    user: 'a@n',
    password: 'p#/',
    database: 'my app',
    settings: { sslMode: 'verify-ca', poolSize: 3 },
  });
});

test.each([
  { url: 'postgres://ann@a,b:5433,[::1]:5434/app', hosts: [['a'], ['b', 5433], ['::1', 5434]] },
  { url: 'postgres://a,b/app?target_session_attrs=read-write', hosts: [['a'], ['b']] },
  {
    url: 'postgres:///app?host=a,b&port=5433',
    hosts: [
      ['a', 5433],
      ['b', 5433],
    ],
  },
  {
    url: 'postgres:///app?host=a,b&port=5433,5434',
    hosts: [
      ['a', 5433],
      ['b', 5434],
    ],
  },
  { url: 'postgres://a:5433/app?host=/var/run/postgresql', hosts: [['/var/run/postgresql', 5433]] },
  { url: 'postgres:///app', hosts: [[undefined]] },
])('$url names the hosts $hosts', ({ url, hosts }) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ hosts: hosts.map(([host, port]) => ({ host, port })) });
});

test('what a URL says about its tables and its sessions is read', () => {
  expect(
    parseDatabaseUrl('postgres://db/app?schema=Jobs&tablePrefix=x_&target_session_attrs=any&statementTimeoutMs=7'),
  ).toMatchObject({ settings: { schema: 'Jobs', tablePrefix: 'x_', sessionTarget: 'any', statementTimeoutMs: 7 } });
  expect(parseDatabaseUrl('mysql://db/app?tablePrefix=x_')).toMatchObject({ settings: { tablePrefix: 'x_' } });
});

test.each([
  { url: 'postgres://ann:s3cret@db/app?schema=a;b', problem: 'its parameter schema must be' },
  { url: 'postgres://ann:s3cret@db/app?schema=', problem: 'its parameter schema must be' },
  { url: 'postgres://ann:s3cret@db/app?tablePrefix=X', problem: 'its parameter tablePrefix must be' },
  { url: 'mysql://ann:s3cret@db/app?schema=a', problem: '"schema" is not known' },
  { url: 'mysql://ann:s3cret@db/app?sslmode=require&sslmode=disable', problem: 'sslmode is given twice' },
  { url: 'postgres://ann:s3cret@db/app?ssl=true&sslmode=disable', problem: 'sslmode is given twice' },
  { url: 'postgres://ann:s3cret@a,b/app?target_session_attrs=standby', problem: 'one of any, read-write' },
  { url: 'mysql://ann:s3cret@a,b/app', problem: 'several hosts are for PostgreSQL' },
  { url: 'postgres://ann:s3cret@a,b,c/app?port=1,2', problem: 'as many ports as hosts' },
  { url: `postgres://ann:s3cret@${'a,'.repeat(10)}b/app`, problem: 'more than 10 hosts' },
  { url: 'postgres://ann:s3cret/1@db,db2/app', problem: 'not the URL of a server' },
  { url: 'postgres://ann:s3cret/1@db', problem: 'not the URL of a server' },
])('$url is refused: $problem', ({ url, problem }) => {
  let error: unknown;
  try {
    parseDatabaseUrl(url);
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({ code: 'bad-database-url', message: expect.stringContaining(problem) });
  expect(JSON.stringify([(error as Error).message, (error as { details: unknown }).details])).not.toContain('s3cret');
});

test.each([
  { query: 'ssl-mode=REQUIRED', remedy: 'sslmode=disable|prefer|require|verify-ca|verify-full' },
  { query: 'useSSL=true', remedy: 'sslmode=' },
  { query: 'tls=true', remedy: 'sslmode=' },
  { query: 'sslpassword=s3cret', remedy: 'sslmode=' },
  { query: 'ssl={"passphrase":"s3cret"}', remedy: 'true or false' },
  { query: 'sslmode=always', remedy: 'one of disable, prefer, require, verify-ca, verify-full' },
  { query: 'sslmode=', remedy: 'one of disable' },
  { query: 'poolSize=0', remedy: 'a whole number from 1 on' },
  { query: 'statementTimeoutMs=5s', remedy: 'a whole number from 1 on' },
  { query: 'colour=s3cret', remedy: 'use sslmode, ssl, sslrootcert' },
])('the parameter $query is refused by name, with the remedy and without its value', ({ query, remedy }) => {
  for (const scheme of ['postgres', 'mysql']) {
    let error: unknown;
    try {
      parseDatabaseUrl(`${scheme}://ann:s3cret@db/app?${query}`);
    } catch (caught) {
      error = caught;
    }
    const name = query.slice(0, query.indexOf('='));
    expect(error).toMatchObject({ code: 'bad-database-url', details: { parameter: name } });
    expect((error as Error).message).toContain(remedy);
    expect(JSON.stringify([(error as Error).message, (error as { details: unknown }).details])).not.toContain('s3cret');
  }
});

test.each([
  { story: 'a bare path', url: 'horae.db' },
  { story: 'nothing', url: '' },
  { story: 'another scheme', url: 'mongodb://ann:s3cret@db/app' },
  { story: 'a SQLite URL without a path', url: 'sqlite:' },
  { story: 'a MySQL URL without a database', url: 'mysql://ann:s3cret@db' },
  { story: 'a password that breaks the URL', url: 'postgres://ann:s3cret#/@db:port/app' },
  { story: 'a server without //', url: 'postgres:ann:s3cret@db/app' },
  { story: 'a server with one /', url: 'mysql:/ann:s3cret@db/app' },
  { story: 'credentials alone', url: 's3cret@db/app' },
  { story: 'a broken escape', url: 'postgres://ann:s3cret%zz@db/app' },
  { story: 'no text at all', url: undefined as never },
])('$story is refused with a remedy and without the password', ({ url }) => {
  let error: unknown;
  try {
    parseDatabaseUrl(url);
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({ code: 'bad-database-url' });
  expect((error as Error).message).toMatch(/use sqlite:|mysql:\/\/user/);
  expect(JSON.stringify([(error as Error).message, (error as { details: unknown }).details])).not.toContain('s3cret');
});
