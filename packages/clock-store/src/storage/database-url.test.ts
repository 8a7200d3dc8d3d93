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
])('$printable is a $dialect server and does not show its password', ({ url, dialect, printable }) => {
  const parsed = parseDatabaseUrl(url);
  expect(parsed).toMatchObject({ dialect, printable });
  if (parsed.dialect !== 'sqlite') expect(parsed.connectionUrl).toContain('ann');
});

test('the driver of MySQL gets the scheme that it knows', () => {
  expect(parseDatabaseUrl('mariadb://ann:s3cret@db/app')).toMatchObject({ connectionUrl: 'mysql://ann:s3cret@db/app' });
});

test.each([
  { story: 'a bare path', url: 'horae.db' },
  { story: 'nothing', url: '' },
  { story: 'another scheme', url: 'mongodb://ann:s3cret@db/app' },
  { story: 'a SQLite URL without a path', url: 'sqlite:' },
  { story: 'a MySQL URL without a database', url: 'mysql://ann:s3cret@db' },
  { story: 'a password that breaks the URL', url: 'postgres://ann:s3cret#/@db:port/app' },
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
