import { HoraeError } from '@horae/clock-store';

/** The window is none: its end is not after its start, it is not made of whole minutes, or its index is no whole number >= 0. */
export class InvalidEpoch extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidEpoch';
}

/** A modifier (or the noise) cannot scale a duration: its factor is not finite and > 0, or its window is no part of a day. */
export class InvalidModifier extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidModifier';
}

/** A definition has no usable duration. `runEpoch` gives it as a rejection; `effectiveDuration` throws it. */
export class InvalidDuration extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidDuration';
}

/** A skill level is not a number. `runEpoch` gives it as a rejection; `effectiveDuration` throws it. */
export class InvalidSkill extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidSkill';
}

/** The audio channel is none of `world`, `pc`, `sys`, `ally`. */
export class InvalidChannel extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidChannel';
}

/** The columns given to `simulateColumns` do not fit together. */
export class InvalidColumns extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidColumns';
}

/** What was given to `restoreSimulation` is no snapshot of this version. */
export class InvalidSnapshot extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidSnapshot';
}

/** One fault of a scenario file: where it is and what belongs there. */
export interface ScenarioFault {
  /** Like `action_defs.repair.base_duration_min`; empty for the document itself. */
  readonly path: string;
  /** Counted from 1; null when the scenario was not given as text. */
  readonly line: number | null;
  readonly expected: string;
  readonly received: string;
}

/** A scenario file cannot be used. The details name the first fault and list all of them. */
export class InvalidScenario extends HoraeError<ScenarioFault & { faults: readonly ScenarioFault[] }> {
  readonly code = 'InvalidScenario';
}

/** An annotation record cannot be turned into actions; the details name the field. */
export class InvalidAnnotation extends HoraeError<{ path: string; expected: string }> {
  readonly code = 'InvalidAnnotation';
}

/** A value as it is quoted in a message: short, whatever it is. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
  return typeof value === 'string' && value.length > 80 ? `${text.slice(0, -1)}…"` : text;
}
