import { expect, test } from 'vitest';
import { type IdleFacts, idleUntil } from './idle-until.js';

const NOW = 1_000_000;
const nothing = { jobAt: null, delayedAt: null, alertAt: null, isBusy: false };
const noRetention = { dueAt: NOW + 60_000, findsAt: null };

test.each<{ story: string; upcoming?: object; retention?: IdleFacts['retention']; until: number }>([
  { story: 'for ever when there is nothing', until: Number.POSITIVE_INFINITY },
  { story: 'until a job can be claimed', upcoming: { jobAt: NOW + 9_000 }, until: NOW + 4_000 },
  { story: 'until a delayed run can be taken', upcoming: { delayedAt: NOW + 9_000 }, until: NOW + 3_000 },
  { story: 'until an alert is due', upcoming: { alertAt: NOW + 9_000 }, until: NOW + 9_000 },
  { story: 'until the first of them', upcoming: { jobAt: NOW + 9_000, alertAt: NOW + 2_000 }, until: NOW + 2_000 },
  { story: 'not at all while something goes on', upcoming: { jobAt: NOW + 9_000, isBusy: true }, until: NOW },
  { story: 'not into the past', upcoming: { alertAt: NOW - 5 }, until: NOW },
  { story: 'until a run is too old', retention: { dueAt: NOW + 1, findsAt: NOW + 7 }, until: NOW + 7 },
  { story: 'until retention looks again', retention: { dueAt: NOW + 60_000, findsAt: NOW - 7 }, until: NOW + 60_000 },
])('a node is idle $story', ({ upcoming, retention = noRetention, until }) => {
  const facts = { now: NOW, preReadMs: 5_000, nearMs: 6_000, retention, upcoming: { ...nothing, ...upcoming } };
  expect(idleUntil(facts)).toBe(until);
});
