import { expect, test } from 'vitest';
import { loadDriver } from './load-driver.js';

const notFound = () =>
  Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }));

test('a driver that is there is given', async () => {
  expect(await loadDriver('sqlite:x', 'better-sqlite3', async () => 'the driver')).toBe('the driver');
});

test('a missing driver is named, with the command that installs it and kysely', async () => {
  await expect(loadDriver('postgres://db/app', 'pg', notFound)).rejects.toMatchObject({
    code: 'driver-missing',
    message: 'postgres://db/app needs the package pg, which is not installed: run `npm install kysely pg`',
    details: { packageName: 'pg', install: 'npm install kysely pg' },
  });
});

test('a driver that is there but broken keeps its own error', async () => {
  const broken = new SyntaxError('bad file');
  await expect(loadDriver('sqlite:x', 'better-sqlite3', () => Promise.reject(broken))).rejects.toBe(broken);
});
