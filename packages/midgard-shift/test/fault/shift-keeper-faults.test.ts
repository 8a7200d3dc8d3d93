import { seededRandom } from '@horae/clock-store';
import { createManualClock, faultPlan } from '@horae/clock-store/testing';
import { describe, expect, test } from 'vitest';
import { createLedger, type Ledger, operatorAt, startShiftKeeper } from '../../src/index.js';
import { watched } from '../support/watched-chain.js';
import { DURATION, key, parameters, world } from '../support/world.js';

const SHIFTS = process.env.HORAE_LONG === '1' ? 100 : 30;
const SEEDS = process.env.HORAE_LONG === '1' ? 20 : 6;

/** A ledger that counts, for every datum, how often it is spent without having come back by a rollback. */
function guarded(ledger: Ledger): Ledger & { doubleSpends: number } {
  let spent: (number | null)[] = [];
  const guard = {
    doubleSpends: 0,
    state: () => ledger.state(),
    async submit(tx: Parameters<Ledger['submit']>[0]) {
      const before = (await ledger.state()).scheduler!.shiftStart;
      const verdict = await ledger.submit(tx);
      if (verdict.accepted) {
        if (spent.includes(before)) guard.doubleSpends += 1;
        spent.push(before);
      }
      return verdict;
    },
    activate: ledger.activate,
    change: ledger.change,
    async rollback(steps: number) {
      await ledger.rollback(steps);
      spent = spent.slice(0, spent.length - steps);
    },
  };
  return guard;
}

const seeds = Array.from({ length: SEEDS }, (_, seed) => ({ seed }));

describe('keepers on a chain that fails, loses answers, delays and rolls back', () => {
  test.each(seeds)('take their shifts and never spend a datum twice (seed $seed)', async ({ seed }) => {
    const clock = createManualClock({ now: 0 });
    const random = seededRandom(`rollbacks ${seed}`);
    const ledger = guarded(await createLedger({ state: world({ active: [10, 20, 30] }), parameters, clock }));
    const plans = [10, 20, 30].map((n) =>
      faultPlan(seededRandom(`${seed} ${n}`), {
        perMille: { fail: 150, 'lose-answer': 100, delay: 150 },
        clock,
        longestDelayMs: 200,
      }),
    );
    const record = watched(ledger, clock);
    const keepers = [10, 20, 30].map((n, index) =>
      startShiftKeeper({
        clock,
        chain: plans[index]!.wrap(record),
        operator: key(n),
        parameters,
        random: seededRandom(`${seed} keeper ${n}`),
      }),
    );
    let ownShifts = 0;
    for (let shift = 1; shift <= SHIFTS; shift++) {
      await clock.advanceTo(shift * DURATION + 300);
      const before = await ledger.state();
      const canRollBack = record.submissions.filter(({ verdict }) => verdict.accepted).length > 5;
      if (canRollBack && random.below(4) === 0) await ledger.rollback(1 + random.below(2));
      await clock.advanceTo((shift + 1) * DURATION - 1);
      const { scheduler } = await ledger.state();
      if (scheduler!.shiftStart === shift * DURATION) {
        ownShifts += 1;
        expect(scheduler!.operator).toBe(operatorAt(before, shift * DURATION, parameters));
      }
    }
    expect(ledger.doubleSpends).toBe(0);
    expect(ownShifts).toBeGreaterThan(SHIFTS * 0.9);
    for (const plan of plans) plan.heal();
    await clock.advanceTo((SHIFTS + 3) * DURATION - 1);
    expect((await ledger.state()).scheduler?.shiftStart).toBe((SHIFTS + 2) * DURATION);
    await Promise.all(keepers.map((keeper) => keeper.stop()));
    expect(plans.flatMap(({ log }) => log).length).toBeGreaterThan(20);
  });

  test.each(seeds)('two keepers of one operator race and never spend a datum twice (seed $seed)', async ({ seed }) => {
    const clock = createManualClock({ now: 0 });
    const ledger = guarded(await createLedger({ state: world({ active: [10] }), parameters, clock }));
    const plan = faultPlan(seededRandom(seed), {
      perMille: { 'lose-answer': 100, delay: 300 },
      clock,
      longestDelayMs: 90,
    });
    const keepers = ['a', 'b'].map((name) =>
      startShiftKeeper({
        clock,
        chain: plan.wrap(ledger),
        operator: key(10),
        parameters,
        random: seededRandom(`${seed} ${name}`),
      }),
    );
    for (let shift = 1; shift <= SHIFTS; shift++) {
      await clock.advanceTo((shift + 1) * DURATION - 1);
      expect((await ledger.state()).scheduler).toEqual({ operator: key(10), shiftStart: shift * DURATION });
    }
    expect(ledger.doubleSpends).toBe(0);
    await Promise.all(keepers.map((keeper) => keeper.stop()));
  });
});

test('a keeper whose process dies is followed by another that takes up where it was', async () => {
  const clock = createManualClock({ now: 0 });
  const ledger = guarded(await createLedger({ state: world({ active: [10] }), parameters, clock }));
  const plan = faultPlan(seededRandom(1), { calls: [{ method: 'submit', nth: 2, fault: 'crash-after' }] });
  const first = startShiftKeeper({
    clock,
    chain: plan.wrap(ledger),
    operator: key(10),
    parameters,
    random: seededRandom(1),
  });
  await clock.advanceTo(4 * DURATION + 10);
  expect(plan.hasCrashed).toBe(true);
  expect((await ledger.state()).scheduler?.shiftStart).toBe(2 * DURATION);
  await first.stop();
  const second = startShiftKeeper({ clock, chain: ledger, operator: key(10), parameters, random: seededRandom(2) });
  await clock.advanceTo(4 * DURATION + 100);
  expect((await ledger.state()).scheduler?.shiftStart).toBe(4 * DURATION);
  expect(ledger.doubleSpends).toBe(0);
  await second.stop();
});

test('a wall clock that jumps makes a keeper look again, not submit early', async () => {
  const clock = createManualClock({ now: 0 });
  const chain = watched(await createLedger({ state: world({ active: [10, 20] }), parameters, clock }), clock);
  const keeper = startShiftKeeper({ clock, chain, operator: key(10), parameters, random: seededRandom(1) });
  await clock.advanceTo(950);
  await clock.jumpTo(200);
  await clock.advanceTo(999);
  expect(chain.submissions).toEqual([]);
  await clock.jumpTo(3_400);
  await clock.advanceBy(200);
  expect((await chain.state()).scheduler).toEqual({ operator: key(10), shiftStart: 3_000 });
  await keeper.stop();
});
