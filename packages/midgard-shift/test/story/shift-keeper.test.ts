import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { describe, expect, test } from 'vitest';
import {
  activate,
  ChainTimeoutError,
  type ChainView,
  createLedger,
  MidgardInputError,
  type MidgardState,
  SubmissionRefusedError,
  startShiftKeeper,
} from '../../src/index.js';
import { forgetful, lagging, watched } from '../support/watched-chain.js';
import { DURATION, key, parameters, world } from '../support/world.js';

async function stage(
  state: MidgardState,
  view: (chain: ChainView, clock: ReturnType<typeof createManualClock>) => ChainView = (c) => c,
) {
  const clock = createManualClock({ now: 0 });
  const ledger = await createLedger({ state, parameters, clock });
  const chain = watched(view(ledger, clock), clock);
  const failures: unknown[] = [];
  const keep = (operator: number, on: ChainView = chain) =>
    startShiftKeeper({
      clock,
      chain: on,
      operator: key(operator),
      parameters,
      random: seededRandom(operator),
      onFailure: (error) => failures.push(error),
    });
  const onShift = async () => (await ledger.state()).scheduler;
  return { clock, ledger, chain, keep, onShift, failures };
}

const starts = (submissions: readonly { at: number }[]) => submissions.map(({ at }) => at);

describe('a keeper', () => {
  test('takes every shift of a single operator, at its very start, once', async () => {
    const { clock, chain, keep, onShift, failures } = await stage(world({ active: [10] }));
    const keeper = keep(10);
    await clock.advanceTo(10 * DURATION + 500);
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: 10 * DURATION });
    expect(starts(chain.submissions)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * DURATION));
    expect(chain.submissions.every(({ tx }) => tx.signatories.includes(key(10)))).toBe(true);
    expect(failures).toEqual([]);
    await keeper.stop();
  });

  test('takes its own shifts alone and leaves those of others to them', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10, 20, 30] }));
    const keepers = [10, 20, 30].map((n) => keep(n));
    await clock.advanceTo(9 * DURATION + 1);
    expect(chain.submissions.map(({ tx }) => tx.signatories)).toEqual(
      [20, 10, 30, 20, 10, 30, 20, 10, 30].map((n) => [key(n)]),
    );
    await Promise.all(keepers.map((keeper) => keeper.stop()));
  });

  test('first catches up, unsigned, with the shifts that others left out', async () => {
    const { clock, chain, keep, onShift } = await stage(world({ active: [10, 20, 30] }));
    const keeper = keep(10);
    await clock.advanceTo(2 * DURATION - 1);
    expect(chain.submissions).toEqual([]);
    await clock.advanceTo(2 * DURATION + 1);
    expect(chain.submissions.map(({ tx }) => [tx.schedulerOutput?.operator, tx.signatories.length])).toEqual([
      [key(20), 0],
      [key(10), 1],
    ]);
    await clock.advanceTo(5 * DURATION + 500);
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: 5 * DURATION });
    await keeper.stop();
  });

  test('that starts in the middle of its shift takes it at once', async () => {
    const { clock, chain, keep, onShift } = await stage(world({ active: [10, 20] }));
    await clock.advanceTo(7 * DURATION + 321);
    const keeper = keep(10);
    await clock.advanceBy(100);
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: 7 * DURATION });
    expect(chain.submissions.length).toBe(7);
    expect(chain.submissions.at(-1)?.tx.validity).toEqual({ from: 7 * DURATION + 321, to: 7 * DURATION + 421 });
    await keeper.stop();
  });

  test('waits while it is not active, before Init, and while nobody is active', async () => {
    const states = [
      world({ active: [10], operator: 10 }),
      world({ active: [10], operator: null }),
      world({ active: [], operator: 10, retired: [10] }),
    ];
    for (const state of states) {
      const { clock, chain, keep, failures } = await stage(state);
      const keeper = keep(15);
      await clock.advanceTo(5 * DURATION);
      expect([chain.submissions, failures]).toEqual([[], []]);
      await keeper.stop();
    }
  });

  test('waits for the activation of a registrant that blocks the new cycle, then goes on', async () => {
    const registered = [{ operator: key(5), activationTime: 900 }];
    const { clock, ledger, chain, keep, onShift } = await stage(world({ active: [10], registered }));
    const keeper = keep(10);
    await clock.advanceTo(1_300);
    expect(chain.submissions).toEqual([]);
    await ledger.change((state) => {
      const verdict = activate(
        state,
        { operator: key(5), signatories: [], validity: { from: 1_300, to: null } },
        parameters,
      );
      return verdict.accepted ? verdict.state : state;
    });
    await clock.advanceTo(3 * DURATION - 1);
    // Now the shift from 1000 on is that of 5, who has no keeper; at 2000 it is the turn of 10.
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: 2 * DURATION });
    await keeper.stop();
  });

  test('takes its shift again after a rollback', async () => {
    const { clock, ledger, chain, keep, onShift } = await stage(world({ active: [10, 20] }));
    const keeper = keep(10);
    await clock.advanceTo(DURATION + 200);
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: DURATION });
    await ledger.rollback(1);
    await clock.advanceTo(DURATION + 400);
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: DURATION });
    expect(chain.submissions.length).toBe(2);
    await keeper.stop();
  });

  test('does not submit again while what it submitted is not seen yet', async () => {
    const { clock, chain, keep, failures } = await stage(world({ active: [10, 20] }), (c, at) => lagging(c, at, 80));
    const keeper = keep(10);
    await clock.advanceTo(8 * DURATION);
    const spent = chain.submissions.map(({ tx }) => tx.schedulerOutput?.shiftStart);
    expect(spent).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => n * DURATION));
    expect(failures).toEqual([]);
    await keeper.stop();
  });

  test('submits anew when the window of a lost transaction has passed, not before', async () => {
    const { clock, chain, keep, onShift } = await stage(world({ active: [10] }), (c) => forgetful(c, [1, 2]));
    const keeper = keep(10);
    await clock.advanceTo(DURATION + 500);
    expect(await onShift()).toEqual({ operator: key(10), shiftStart: DURATION });
    expect(chain.submissions.length).toBe(3);
    for (const [index, { at }] of chain.submissions.entries())
      if (index > 0) expect(at).toBe(chain.submissions[index - 1]!.tx.validity.to);
    await keeper.stop();
  });

  test('goes on when a refusal shows that another was faster', async () => {
    const { clock, chain, keep, failures } = await stage(world({ active: [10] }));
    const keepers = [keep(10), keep(10)];
    await clock.advanceTo(4 * DURATION + 1);
    const accepted = chain.submissions.filter(({ verdict }) => verdict.accepted);
    expect(accepted.map(({ tx }) => tx.schedulerOutput?.shiftStart)).toEqual([1, 2, 3, 4].map((n) => n * DURATION));
    expect(failures.every((error) => error instanceof SubmissionRefusedError)).toBe(true);
    expect(failures.length).toBe(chain.submissions.length - accepted.length);
    await Promise.all(keepers.map((keeper) => keeper.stop()));
  });

  test('comes back from a provider that never answers, and stops while it does not', async () => {
    const clock = createManualClock({ now: 0 });
    const ledger = await createLedger({ state: world({ active: [10] }), parameters, clock });
    let isLost = true;
    const chain: ChainView = {
      state: () => (isLost ? new Promise(() => {}) : ledger.state()),
      submit: (tx) => ledger.submit(tx),
    };
    const failures: unknown[] = [];
    const options = {
      clock,
      chain,
      operator: key(10),
      parameters,
      onFailure: (error: unknown) => failures.push(error),
    };
    const keeper = startShiftKeeper({ ...options, random: seededRandom(1) });
    await clock.advanceTo(5_000);
    expect(failures.every((error) => error instanceof ChainTimeoutError)).toBe(true);
    expect(failures.length).toBe(1);
    isLost = false;
    await clock.advanceTo(11_500);
    expect((await ledger.state()).scheduler).toEqual({ operator: key(10), shiftStart: 11_000 });
    isLost = true;
    await clock.advanceTo(12_500);
    await keeper.stop();
    expect(clock.sleepers).toBe(0);
  });

  test('does nothing after it is stopped; stopping twice is fine', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10] }));
    const keeper = keep(10);
    await clock.advanceTo(DURATION);
    await Promise.all([keeper.stop(), keeper.stop()]);
    await keeper[Symbol.asyncDispose]();
    await clock.advanceTo(9 * DURATION);
    expect(chain.submissions.length).toBe(1);
    expect(clock.sleepers).toBe(0);
  });

  test('refuses an operator that is no key hash', async () => {
    const { clock, chain } = await stage(world({ active: [10] }));
    expect(() => startShiftKeeper({ clock, chain, operator: 'me', parameters })).toThrow(MidgardInputError);
  });
});
