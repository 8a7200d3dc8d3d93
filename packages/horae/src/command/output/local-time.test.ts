import { expect, test } from 'vitest';
import { localTimeIn } from './local-time.js';

test.each([
  { zone: 'UTC', at: 0, text: '1970-01-01T00:00:00+00:00', story: 'the epoch' },
  {
    zone: 'Europe/Berlin',
    at: Date.UTC(2026, 2, 29, 0, 59, 59),
    text: '2026-03-29T01:59:59+01:00',
    story: 'before the gap',
  },
  { zone: 'Europe/Berlin', at: Date.UTC(2026, 2, 29, 1), text: '2026-03-29T03:00:00+02:00', story: 'after the gap' },
  {
    zone: 'Europe/Berlin',
    at: Date.UTC(2026, 9, 25, 0, 30),
    text: '2026-10-25T02:30:00+02:00',
    story: 'the first pass',
  },
  {
    zone: 'Europe/Berlin',
    at: Date.UTC(2026, 9, 25, 1, 30),
    text: '2026-10-25T02:30:00+01:00',
    story: 'the second pass',
  },
  { zone: 'Asia/Kathmandu', at: 0, text: '1970-01-01T05:30:00+05:30', story: 'half an hour' },
  { zone: 'America/St_Johns', at: Date.UTC(2026, 0, 1), text: '2025-12-31T20:30:00-03:30', story: 'behind by a half' },
  {
    zone: 'UTC',
    at: Date.UTC(2026, 0, 1) + 999,
    text: '2026-01-01T00:00:00+00:00',
    story: 'milliseconds are left out',
  },
  { zone: 'UTC', at: -1, text: '1969-12-31T23:59:59+00:00', story: 'before the epoch' },
])('$text: $story', ({ zone, at, text }) => {
  expect(localTimeIn(zone)(at)).toBe(text);
});
