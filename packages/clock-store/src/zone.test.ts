import { expect, test } from 'vitest';
import { resolveZone } from './zone.js';

test.each([
  { story: 'keeps a proper name', name: 'Europe/Berlin', zone: 'Europe/Berlin' },
  { story: 'corrects the case', name: 'europe/berlin', zone: 'Europe/Berlin' },
  { story: 'knows UTC', name: 'UTC', zone: 'UTC' },
])('$story', ({ name, zone }) => {
  expect(resolveZone(name)).toBe(zone);
  expect(resolveZone(name)).toBe(zone);
});

test('gives the zone of the host when no name is given', () => {
  expect(resolveZone()).toBe(new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone);
});

test.each(['', 'Mars/Olympus', 'Europe/Atlantis', ' ', 42 as never, null as never])('refuses %j by name', (name) => {
  expect(() => resolveZone(name)).toThrow(expect.objectContaining({ code: 'unknown-zone', details: { zone: name } }));
  expect(() => resolveZone(name)).toThrow('use an IANA name');
});

test('keeps working when thousands of spellings have been asked for', () => {
  const letters = [...'europe/berlin'];
  for (let spelling = 0; spelling < 2_100; spelling++) {
    const name = letters.map((letter, index) => ((spelling >> index) & 1 ? letter.toUpperCase() : letter)).join('');
    expect(resolveZone(name)).toBe('Europe/Berlin');
  }
  expect(resolveZone('Asia/Tokyo')).toBe('Asia/Tokyo');
});
