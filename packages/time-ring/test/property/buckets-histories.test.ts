import { test } from 'vitest';
import { expectLegalHistories, HISTORIES } from '../support/simulation/expect-legal.js';

test(`${HISTORIES} random histories under bucket leases break no promise: crashes, delays, skew, stalls, failing stores, users`, async () => {
  await expectLegalHistories('buckets');
});
