import type { Hooks } from './hooks.js';
import type { Noise } from './interchange.js';

/** How an epoch is simulated, besides its input. */
export interface EpochOptions extends Hooks {
  /** The treatment of an action whose lock is held or awaited at admission; `def.on_conflict` overrides it. */
  readonly lock_policy?: 'queue' | 'fail';
  /** Adds the lock `actor:<name>` to every action, so that no actor does two things at once. */
  readonly actor_exclusive?: boolean;
  /** Slots of the epoch for the logs; `ceil(minutes / 60)` by default. */
  readonly slots?: number;
  /** The seed of all draws; 0 by default. */
  readonly seed?: number | string;
  /** How durations vary by chance; without it not at all. */
  readonly noise?: Noise;
}
