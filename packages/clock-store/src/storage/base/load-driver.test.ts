import { expect, test } from 'vitest';
import { checkDriverVersion, loadDriver } from './load-driver.js';

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

test.each(['11.0.0', '12.99.1', undefined])('version %s of a driver that works with 11 and 12 passes', (version) => {
  expect(() => checkDriverVersion('sqlite:x', 'better-sqlite3', [11, 13], version)).not.toThrow();
});

test.each(['13.0.0', '10.2.0'])('version %s of a driver is refused before it is loaded, with the remedy', (version) => {
  expect(() => checkDriverVersion('sqlite:x', 'better-sqlite3', [11, 13], version)).toThrow(
    expect.objectContaining({
      code: 'driver-version',
      message: `sqlite:x needs better-sqlite3 11 to 12, and ${version} is installed: run \`npm install better-sqlite3@12\``,
    }),
  );
});
