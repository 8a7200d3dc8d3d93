import { expect, test } from 'vitest';
import { BadOption, readOptions } from './demo-options.js';

test('without options it listens on loopback, on a file beside you', () => {
  expect(readOptions([])).toEqual({ port: 4400, host: '127.0.0.1', database: 'horae-demo.db', shiftMs: 8_000 });
});

test.each([['--port', '-1'], ['--port', '70000'], ['--port', '1.5'], ['--shift-ms', '10'], ['--nothing'], ['word']])(
  '%s %s is refused',
  (...args) => {
    expect(() => readOptions(args.filter((arg) => arg !== undefined))).toThrow(BadOption);
  },
);

test('help is asked for', () => {
  expect(readOptions(['--help'])).toBe('help');
});
