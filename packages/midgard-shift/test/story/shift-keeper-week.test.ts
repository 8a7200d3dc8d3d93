import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { describe, expect, test } from 'vitest';
import { createLedger, type Edition, operatorAt, type ProtocolParameters, startShiftKeeper } from '../../src/index.js';
import { watched } from '../support/watched-chain.js';
import { key, world } from '../support/world.js';

const HOUR = 3_600_000;
const WEEK_OF_SHIFTS = 7 * 24;
const PRESENT = [10, 30, 40];
const ABSENT = [20, 50];

/** A week of hourly shifts: two of five operators never come, the chain rolls back now and then, and registrants wait. */
async function week(edition: Edition) {
  const parameters: ProtocolParameters = {
    shiftDurationMs: HOUR,
    registrationDurationMs: 24 * HOUR,
    requiredBond: 1n,
    edition,
  };
  const clock = createManualClock({ now: 0 });
  const random = seededRandom(`week ${edition}`);
  const registered = [
    { operator: key(35), activationTime: 70 * HOUR + 5 },
    { operator: key(25), activationTime: 30 * HOUR },
  ];
  const state = world({ active: [10, 20, 30, 40, 50], registered });
  const ledger = await createLedger({ state, parameters, clock });
  const chain = { ...watched(ledger, clock), activate: ledger.activate };
  const keepers = PRESENT.map((n) =>
    startShiftKeeper({
      clock,
      chain,
      operator: key(n),
      parameters,
      random: seededRandom(n),
      network: { zeroTimeMs: 0, zeroSlot: 0, slotLengthMs: 1_000 },
      maxWindowMs: 300_000,
      clockSkewMs: 2_000,
      activateRegistrants: true,
    }),
  );
  let served = 0;
  let ownShifts = 0;
  let rollbacks = 0;
  for (let shift = 1; shift <= WEEK_OF_SHIFTS; shift++) {
    await clock.advanceTo(shift * HOUR + 10 * 60_000);
    if (shift > 3 && random.below(5) === 0) {
      await ledger.rollback(1 + random.below(3));
      rollbacks += 1;
    }
    await clock.advanceTo((shift + 1) * HOUR - 60_000);
    const now = await ledger.state();
    const expected = operatorAt(now, clock.now(), parameters);
    if (!PRESENT.map(key).includes(expected!)) continue;
    ownShifts += 1;
    if (now.scheduler?.operator === expected && now.scheduler.shiftStart === shift * HOUR) served += 1;
  }
  const metrics = keepers.map((keeper) => keeper.metrics());
  await Promise.all(keepers.map((keeper) => keeper.stop()));
  return { chain, clock, ledger, served, ownShifts, rollbacks, metrics };
}

describe.each(['2025', '2026-05'] as const)('edition %s: a week of hourly shifts', (edition) => {
  test('with absent operators, rollbacks and registrants every operator that is there serves all its shifts', async () => {
    const { chain, clock, ledger, served, ownShifts, rollbacks, metrics } = await week(edition);
    expect(rollbacks).toBeGreaterThan(20);
    expect(ownShifts).toBeGreaterThan(60);
    expect(served).toBe(ownShifts);
    const { active, registered } = await ledger.state();
    expect([active.length, registered.length]).toEqual([7, 0]);
    for (const { at, tx } of chain.submissions) {
      const { from, to } = tx.validity;
      expect([from! % 1_000, to! % 1_000]).toEqual([0, 0]);
      expect(to! - from!).toBeLessThanOrEqual(300_000);
      expect(at).toBeGreaterThanOrEqual(from! + 2_000);
    }
    const sum = (of: keyof (typeof metrics)[number]) => metrics.reduce((total, each) => total + each[of], 0);
    expect(sum('activations')).toBeGreaterThanOrEqual(2);
    expect(sum('submissions')).toBe(chain.submissions.length);
    expect(sum('rollbacks')).toBeGreaterThan(rollbacks);
    expect(sum('failures')).toBe(0);
    expect(clock.sleepers).toBe(0);
  });
});

test('absent operators are really absent in that week', async () => {
  const { chain } = await week('2025');
  const signed = new Set(chain.submissions.flatMap(({ tx }) => tx.signatories));
  for (const n of ABSENT) expect(signed.has(key(n))).toBe(false);
  expect(signed.size).toBe(PRESENT.length);
});
