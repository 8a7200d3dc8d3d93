import { expect, test } from 'vitest';
import { hostileParams, hostileTexts } from '../../testing/conformance-stage.js';
import { readJson, readText, storedJson, storedText } from './sql-stored-text.js';

test.each([...hostileTexts, '', '"', 'plain'])('the text %j comes back from what is stored', (text) => {
  expect(readText(storedText(text))).toBe(text);
});

test('text that every database can keep is stored as it is', () => {
  expect(storedText('Grüße, 世界 😀')).toBe('Grüße, 世界 😀');
});

test('text that some database cannot keep is stored in ASCII', () => {
  expect(storedText('a\u0000b')).toBe('"a\\u0000b"');
  expect(storedText('\ud800')).toBe('"\\ud800"');
});

test.each(hostileParams)('the JSON %j comes back from what is stored, in ASCII alone', (value) => {
  const stored = storedJson(value);
  expect(stored ?? '').toMatch(/^[ -~]*$/);
  expect(readJson(stored)).toEqual(value);
});

test('what is not there takes no room', () => {
  expect([storedJson(null), storedJson(undefined)]).toEqual([null, null]);
});
