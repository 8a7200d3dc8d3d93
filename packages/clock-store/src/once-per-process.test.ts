import { expect, test } from 'vitest';
import { oncePerProcess } from './once-per-process.js';

test('the first caller makes the value, and everybody gets it', () => {
  const first = oncePerProcess('test-of-once.1', () => ['first']);
  expect(oncePerProcess('test-of-once.1', () => ['second'])).toBe(first);
  expect(first).toEqual(['first']);
});

test('another number is another value', () => {
  const first = oncePerProcess('test-of-numbers.1', () => ['old shape']);
  expect(oncePerProcess('test-of-numbers.2', () => ['new shape'])).not.toBe(first);
});
