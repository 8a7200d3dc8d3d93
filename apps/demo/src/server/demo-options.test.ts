import { expect, test } from 'vitest';
import { BadOption, readOptions } from './demo-options.js';

test('without options it listens on loopback, on a file beside you', () => {
  expect(readOptions([], {})).toEqual({
    port: 4400,
    host: '127.0.0.1',
    token: null,
    database: 'horae-demo.db',
    shiftMs: 8_000,
  });
});

test.each([['--port', '-1'], ['--port', '70000'], ['--port', '1.5'], ['--shift-ms', '10'], ['--nothing'], ['word']])(
  '%s %s is refused',
  (...args) => {
    expect(() => readOptions(args.filter((arg) => arg !== undefined))).toThrow(BadOption);
  },
);

test.each(['0.0.0.0', '::', '192.168.1.5', 'horae.example', '127.0.0.1.example'])(
  'a host that others reach, such as %s, needs a token',
  (host) => {
    for (const token of [[], ['--token', '']]) {
      expect(() => readOptions(['--host', host, ...token], { HORAE_DEMO_TOKEN: '' })).toThrow(/--token/);
    }
    expect(readOptions(['--host', host, '--token', 'a b'], {})).toMatchObject({ host, token: 'a b' });
    expect(readOptions(['--host', host], { HORAE_DEMO_TOKEN: 'secret' })).toMatchObject({ token: 'secret' });
  },
);

test.each(['localhost', '127.0.0.2', '::1'])('%s needs none', (host) => {
  expect(readOptions(['--host', host], {})).toMatchObject({ host, token: null });
});

test('help is asked for', () => {
  expect(readOptions(['--help'])).toBe('help');
});
