import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { describe, expect, test } from 'vitest';
import {
  createLedger,
  type KeeperEvent,
  type LifecycleRequest,
  MidgardInputError,
  type MidgardState,
  type ProtocolParameters,
  type ShiftKeeperOptions,
  startShiftKeeper,
} from '../../src/index.js';
import { forgetful, watched } from '../support/watched-chain.js';
import { parameters as base, DURATION, key, world } from '../support/world.js';

const newer: ProtocolParameters = { ...base, edition: '2026-05' };

async function stage(state: MidgardState, parameters: ProtocolParameters = base) {
  const clock = createManualClock({ now: 0 });
  const ledger = await createLedger({ state, parameters, clock });
  const requests: LifecycleRequest[] = [];
  const chain = {
    ...watched(ledger, clock),
    activate(request: LifecycleRequest) {
      requests.push(request);
      return ledger.activate(request);
    },
  };
  const events: KeeperEvent[] = [];
  const keep = (operator: number, options: Partial<ShiftKeeperOptions> = {}) =>
    startShiftKeeper({
      clock,
      chain,
      operator: key(operator),
      parameters,
      random: seededRandom(operator),
      onEvent: (event) => events.push(event),
      ...options,
    });
  const kinds = (kind: KeeperEvent['kind']) => events.filter((event) => event.kind === kind).map(({ at }) => at);
  return { clock, ledger, chain, keep, events, kinds, requests };
}

describe('edition 2026-05', () => {
  test('takes its own shift unsigned, the moment it is open', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10, 20] }), newer);
    const keeper = keep(10);
    await clock.advanceTo(5 * DURATION + 500);
    expect(chain.submissions.map(({ at, tx }) => [at, tx.signatories.length, tx.schedulerOutput?.operator])).toEqual([
      [1_001, 0, key(10)],
      [3_000, 0, key(20)],
      [3_001, 0, key(10)],
      [5_000, 0, key(20)],
      [5_001, 0, key(10)],
    ]);
    await keeper.stop();
  });

  test('of three operators with keepers each takes its own', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10, 20, 30] }), newer);
    const keepers = [10, 20, 30].map((n) => keep(n));
    await clock.advanceTo(6 * DURATION + 500);
    expect(chain.submissions.map(({ tx }) => tx.schedulerOutput?.operator)).toEqual([20, 10, 30, 20, 10, 30].map(key));
    expect(chain.submissions.every(({ verdict }) => verdict.accepted)).toBe(true);
    await Promise.all(keepers.map((keeper) => keeper.stop()));
  });
});

describe('windows', () => {
  test('are no longer than maxWindowMs', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10] }));
    const keeper = keep(10, { maxWindowMs: 40 });
    await clock.advanceTo(DURATION);
    expect(chain.submissions.map(({ tx }) => tx.validity)).toEqual([{ from: 1_000, to: 1_040 }]);
    await keeper.stop();
  });

  test('are handed in no earlier than the clock skew after they open', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10] }));
    const keeper = keep(10, { clockSkewMs: 30 });
    await clock.advanceTo(2 * DURATION + 500);
    expect(chain.submissions.map(({ at, tx }) => [at, tx.validity.from])).toEqual([
      [1_030, 1_000],
      [2_030, 2_000],
    ]);
    await keeper.stop();
  });

  test.each([
    { story: 'that starts in time', startsAt: 0, from: 1_050 },
    { story: 'that starts in the middle of a slot', startsAt: 1_333, from: 1_300 },
  ])('of a keeper $story begin and end with slots of the network', async ({ startsAt, from }) => {
    const { clock, chain, keep } = await stage(world({ active: [10] }));
    await clock.advanceTo(startsAt);
    // Slots of 50 ms, of which none begins at the start of a shift.
    const keeper = keep(10, { network: { zeroTimeMs: -1_025 + 1_000, zeroSlot: 7, slotLengthMs: 75 } });
    await clock.advanceTo(1_400);
    const [{ tx } = expect.fail('nothing was submitted')] = chain.submissions;
    expect((tx.validity.from! + 25) % 75).toBe(0);
    expect((tx.validity.to! + 25) % 75).toBe(0);
    expect(tx.validity.from).toBeGreaterThanOrEqual(Math.min(from, 1_000));
    expect(tx.validity.to).toBeGreaterThan(tx.validity.from!);
    await keeper.stop();
  });

  test('a wake-up that comes late does not wait for the next slot', async () => {
    const { clock, chain, keep } = await stage(world({ active: [10] }));
    await clock.advanceTo(1_017);
    const keeper = keep(10, { network: { zeroTimeMs: 0, zeroSlot: 0, slotLengthMs: 50 }, clockSkewMs: 10 });
    await clock.advanceTo(1_018);
    expect(chain.submissions.map(({ at, tx }) => [at, tx.validity.from])).toEqual([[1_017, 1_000]]);
    await keeper.stop();
  });

  test.each([
    { story: 'no time between two looks', options: { pollMs: 0 }, field: 'pollMs' },
    { story: 'a window without a moment', options: { maxWindowMs: 0 }, field: 'maxWindowMs' },
    { story: 'a window shorter than the skew', options: { maxWindowMs: 10, clockSkewMs: 10 }, field: 'maxWindowMs' },
    { story: 'a window shorter than a slot', options: { maxWindowMs: 999, network: 'mainnet' }, field: 'maxWindowMs' },
    { story: 'a negative skew', options: { clockSkewMs: -1 }, field: 'clockSkewMs' },
    { story: 'a network that does not exist', options: { network: 'testnet' }, field: 'network' },
    {
      story: 'activating through a view that cannot',
      options: {
        activateRegistrants: true,
        chain: { state: async () => world({ active: [] }), submit: async () => ({}) },
      },
      field: 'activateRegistrants',
    },
  ])('refuses $story', async ({ options, field }) => {
    const { keep } = await stage(world({ active: [10] }));
    expect(() => keep(10, options as Partial<ShiftKeeperOptions>)).toThrow(MidgardInputError);
    expect(() => keep(10, options as Partial<ShiftKeeperOptions>)).toThrow(field);
  });
});

describe('activateRegistrants', () => {
  const registered = [
    { operator: key(6), activationTime: 1_100 },
    { operator: key(5), activationTime: 900 },
  ];

  test.each([base, newer])(
    'activates each registrant that blocks its rewind, once it is due ($edition)',
    async (parameters) => {
      const { clock, ledger, chain, keep, kinds, requests } = await stage(
        world({ active: [10], registered }),
        parameters,
      );
      const keeper = keep(10, { activateRegistrants: true });
      await clock.advanceTo(1_090);
      // At the start of its shift one is due; with it the turn is no longer that of 10.
      expect(requests.map(({ operator, signatories }) => [operator, signatories])).toEqual([[key(5), []]]);
      expect(requests[0]!.validity.from).toBeGreaterThanOrEqual(900);
      expect(kinds('activated')).toHaveLength(1);
      await clock.advanceTo(9 * DURATION);
      const state = await ledger.state();
      expect(state.registered).toEqual([]);
      expect(requests).toHaveLength(2);
      expect(keeper.metrics().activations).toBe(2);
      expect(chain.submissions.some(({ tx }) => tx.redeemer === 'rewind')).toBe(true);
      await keeper.stop();
    },
  );

  test('is off by default: nobody is activated and nothing is handed in', async () => {
    const { clock, chain, keep, requests } = await stage(world({ active: [10], registered }));
    const keeper = keep(10);
    await clock.advanceTo(3 * DURATION);
    expect([requests, chain.submissions]).toEqual([[], []]);
    await keeper.stop();
  });

  test('waits for one that is too close for a window, and is not due yet', async () => {
    const close = [{ operator: key(5), activationTime: 1_001 }];
    const { clock, keep, requests } = await stage(world({ active: [10], registered: close }));
    const keeper = keep(10, { activateRegistrants: true });
    await clock.advanceTo(1_000);
    expect(requests).toEqual([]);
    await clock.advanceTo(1_001);
    expect(requests.map(({ validity }) => validity.from)).toEqual([1_001]);
    await keeper.stop();
  });
});

describe('events and metrics', () => {
  test('a quiet shift is polled, submitted and included', async () => {
    const { clock, keep, events, kinds } = await stage(world({ active: [10] }));
    const keeper = keep(10, { pollMs: 250 });
    await clock.advanceTo(1_600);
    expect(kinds('submitted')).toEqual([1_000]);
    expect(kinds('included')).toEqual([1_000]);
    expect(kinds('polled')).toEqual([0, 250, 500, 750, 1_000, 1_000, 1_250, 1_500]);
    expect(keeper.metrics()).toEqual({
      polls: 8,
      submissions: 1,
      refusals: 0,
      failures: 0,
      rollbacks: 0,
      activations: 0,
    });
    expect(events.length).toBe(10);
    await keeper.stop();
    expect(keeper.metrics().polls).toBe(8);
  });

  test('listeners that throw cost no shift', async () => {
    const { clock, ledger, chain, keep } = await stage(world({ active: [10] }));
    let calls = 0;
    const failing = {
      ...chain,
      async state() {
        calls += 1;
        if (calls === 3) throw new Error('lost');
        return chain.state();
      },
    };
    const reported: string[] = [];
    const keeper = keep(10, {
      chain: failing,
      onEvent({ kind }) {
        throw new Error(`no log for ${kind}`);
      },
      onFailure(error) {
        reported.push((error as Error).message);
        throw new Error('no log at all');
      },
    });
    await clock.advanceTo(3_400);
    expect((await ledger.state()).scheduler?.shiftStart).toBe(3_000);
    expect(new Set(reported)).toEqual(
      new Set(['no log for polled', 'no log for submitted', 'no log for included', 'no log for failed', 'lost']),
    );
    expect(keeper.metrics()).toMatchObject({ submissions: 3, failures: 1 });
    await keeper.stop();
  });

  test('a rollback is seen, and the shift taken again', async () => {
    const { clock, ledger, keep, kinds } = await stage(world({ active: [10] }));
    const keeper = keep(10);
    await clock.advanceTo(1_200);
    await ledger.rollback(1);
    await clock.advanceTo(1_400);
    expect(kinds('rolled-back')).toHaveLength(1);
    expect([kinds('submitted').length, kinds('included').length]).toEqual([2, 2]);
    expect(keeper.metrics().rollbacks).toBe(1);
    await keeper.stop();
  });

  test('failures and refusals are counted apart; what is lost is never included', async () => {
    const { clock, chain, keep, kinds } = await stage(world({ active: [10] }));
    let calls = 0;
    const failing = {
      ...forgetful(chain, [1]),
      async state() {
        calls += 1;
        if (calls === 2) throw new Error('lost');
        return chain.state();
      },
    };
    const keepers = [keep(10, { chain: failing }), keep(10)];
    await clock.advanceTo(1_050);
    expect(kinds('failed')).toHaveLength(1);
    expect(kinds('included')).toHaveLength(1);
    await clock.advanceTo(2_400);
    const [left, right] = keepers.map((keeper) => keeper.metrics());
    expect(left!.failures + right!.failures).toBe(1);
    expect(left!.refusals + right!.refusals).toBe(kinds('refused').length);
    await Promise.all(keepers.map((keeper) => keeper.stop()));
  });
});
