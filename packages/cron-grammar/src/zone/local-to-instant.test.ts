import { expect, test } from 'vitest';
import { localToInstant } from './local-to-instant.js';

const berlin = 'Europe/Berlin';

test.each([
  { story: 'in winter', local: '2026-01-31T09:00:00.250Z', instant: '2026-01-31T08:00:00.250Z' },
  { story: 'in summer', local: '2026-07-31T09:00:00Z', instant: '2026-07-31T07:00:00Z' },
  { story: 'that comes twice is the first', local: '2026-10-25T02:30:00Z', instant: '2026-10-25T00:30:00Z' },
  { story: 'that is skipped has the old offset', local: '2026-03-29T02:30:00Z', instant: '2026-03-29T01:30:00Z' },
])('a local time $story', ({ local, instant }) => {
  expect(localToInstant(Date.parse(local), berlin)).toBe(Date.parse(instant));
});

test('in UTC it is the same', () => {
  expect(localToInstant(Date.UTC(2026, 0, 2, 9, 0, 0, 7), 'UTC')).toBe(Date.UTC(2026, 0, 2, 9, 0, 0, 7));
});
