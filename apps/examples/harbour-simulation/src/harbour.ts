import type { EpochInput } from '@horae/epoch-sim';

/** A day at the harbour: ships come when they like, need a tug and a crane, and leave for another harbour after four hours of waiting. */
export const harbour: EpochInput = {
  epoch: { index: 0, start_at: '2026-03-02T00:00:00', end_at: 1_440 },
  lock_defs: { crane: { capacity: 1 }, tug: { capacity: 1 } },
  action_defs: {
    unload: {
      base_duration_min: { kind: 'lognormal', mu: 4.47, sigma: 0.4 }, // 95 minutes in the mean
      locks: ['crane'],
      patience_min: 240,
    },
    tow: { base_duration_min: { kind: 'triangular', min: 15, mode: 20, max: 45 }, locks: ['tug'] },
  },
  arrivals: [
    { verb: 'unload', every: { kind: 'exponential', mean: 60 }, id: 'ship {n}' },
    { verb: 'tow', every: { kind: 'exponential', mean: 45 }, id: 'tow {n}' },
  ],
  actions_submitted: [],
  // The storm of the afternoon stops one crane, or all of them if there is one.
  outages: [{ lock: 'crane', at: 840, repair: 90 }],
};
