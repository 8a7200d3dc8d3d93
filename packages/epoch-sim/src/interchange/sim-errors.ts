import { HoraeError } from '@horae/clock-store';

/** The window is not valid: its end is not after its start, it is not made of whole minutes, or its index is not a whole number >= 0. */
export class InvalidEpoch extends HoraeError<{ field: string; value: unknown }> {
  readonly code: 'InvalidEpoch' | 'InvalidTimestamp' = 'InvalidEpoch';
}

/** A moment of the epoch itself, of an arrival or of an outage is a fraction of a minute. */
export class InvalidTimestamp extends InvalidEpoch {
  override readonly code = 'InvalidTimestamp';
}

/** A modifier (or the noise) cannot scale a duration: its factor is not finite and > 0, or its window is not a part of a day. */
export class InvalidModifier extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidModifier';
}

/** A definition has no usable duration. `runEpoch` reports it as a rejection; `effectiveDuration` throws it. */
export class InvalidDuration extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidDuration';
}

/** A skill level is not a number. `runEpoch` reports it as a rejection; `effectiveDuration` throws it. */
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

/** A hook (`onEnd` and its kin) has returned something that is not a list of follow-ups. */
export class InvalidHookResult extends HoraeError<{ hook: string; action_id: string; value: unknown }> {
  readonly code = 'InvalidHookResult';
}

/** The argument of `restoreSimulation` is not a snapshot of this version. */
export class InvalidSnapshot extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'InvalidSnapshot';
}

/** One fault of a scenario file: where it is and what belongs there. */
export interface ScenarioFault {
  /** Like `action_defs.repair.base_duration_min`; empty for the document itself. */
  readonly path: string;
  /** Counted from 1; null when the scenario was not given as text. */
  readonly line: number | null;
  /** Counted from 1; null where `line` is. */
  readonly column: number | null;
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

/** The longest quotation of a value. */
const MAX_QUOTED = 80;

/** A value as it is quoted in a message: short, whatever it is. */
export function quote(value: unknown): string {
  if (typeof value === 'string') {
    const text = JSON.stringify(value.slice(0, MAX_QUOTED));
    return value.length > MAX_QUOTED ? `${text.slice(0, -1)}…"` : text;
  }
  const text = typeof value === 'object' && value !== null ? jsonOf(value) : String(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

function jsonOf(value: object): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}

/** The `InvalidEpoch` of a field, with the expected value. */
export function invalidEpoch(field: string, value: unknown, remedy: string): InvalidEpoch {
  return new InvalidEpoch(`InvalidEpoch: ${field} is ${quote(value)}; ${remedy}`, { field, value });
}

/** The error of a moment that cannot be read: `InvalidTimestamp` for a fraction of a minute, else `InvalidEpoch`. */
export function invalidMoment(field: string, value: unknown, remedy: string): InvalidEpoch {
  if (!isFraction(value)) return invalidEpoch(field, value, remedy);
  return new InvalidTimestamp(`InvalidTimestamp: ${field} is ${quote(value)}; ${remedy}`, { field, value });
}

/** Whether a moment is a number of minutes that is not whole. */
export function isFraction(moment: unknown): boolean {
  return typeof moment === 'number' && !Number.isInteger(moment);
}
