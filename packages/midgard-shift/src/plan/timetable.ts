import { checkedInteger, refuse } from '../state/midgard-input-error.js';
import { checkState, type MidgardState, type SchedulerDatum } from '../state/midgard-state.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { checkedKey, countBelow, type PubKeyHash, positionOf } from '../state/pub-key-hash.js';
import { modulo, operatorAfter } from '../state/turn-order.js';

/** A shift of an operator: `[start, end)` in epoch milliseconds. */
export interface Shift {
  readonly operator: PubKeyHash;
  readonly start: number;
  readonly end: number;
}

/** The most shifts that one timetable lists. */
const MAX_SHIFTS = 10_000_000;

/**
 * The next `count` shifts, beginning with the one that contains `from`, or with the current one when `from` is earlier. A projection over
 * the active list as it is: every shift taken on time, registrants left out. Without a scheduler it is empty; without active operators it
 * is the current shift alone, as long as `from` is not past it.
 */
export function timetable(
  state: MidgardState,
  parameters: ProtocolParameters,
  options: {
    /** An instant in the first shift; the current shift when it is earlier. */
    readonly from: number;
    /** How many shifts, at most 10,000,000. */
    readonly count: number;
  },
): Shift[] {
  checkParameters(parameters);
  checkState(state);
  const from = checkedInteger('options.from', options.from);
  const count = checkedInteger('options.count', options.count, 0);
  if (count > MAX_SHIFTS) refuse('options.count', `${MAX_SHIFTS} or less`, count);
  const { scheduler, active } = state;
  if (scheduler === null || count === 0) return [];
  const first = Math.max(0, turnsUntil(scheduler, from, parameters));
  const shifts: Shift[] = [];
  if (first === 0) shifts.push(shiftAt(scheduler, scheduler.operator, 0, parameters));
  if (active.length === 0) return shifts;
  // The position only steps down and wraps, so the remainder is taken once.
  let turns = Math.max(1, first);
  let position = modulo(countBelow(active, scheduler.operator) - turns, active.length);
  while (shifts.length < count) {
    shifts.push(shiftAt(scheduler, active[position] as PubKeyHash, turns, parameters));
    turns += 1;
    position = position === 0 ? active.length - 1 : position - 1;
  }
  return shifts;
}

/**
 * The operator on shift at `t` by the same projection; null before the current shift, without a scheduler, and when no active operator can
 * follow.
 */
export function operatorAt(state: MidgardState, t: number, parameters: ProtocolParameters): PubKeyHash | null {
  checkParameters(parameters);
  checkState(state);
  const { scheduler, active } = state;
  if (scheduler === null) return null;
  const turns = turnsUntil(scheduler, checkedInteger('t', t), parameters);
  if (turns < 0) return null;
  return turns === 0 ? scheduler.operator : operatorAfter(active, scheduler.operator, turns);
}

/** The operator's first shift that starts at or after `now`, by the same projection; null if it will have none. */
export function nextShiftOf(
  state: MidgardState,
  operator: PubKeyHash,
  now: number,
  parameters: ProtocolParameters,
): Shift | null {
  checkParameters(parameters);
  checkState(state);
  checkedKey('operator', operator);
  const { scheduler, active } = state;
  if (scheduler === null) return null;
  const behind = checkedInteger('now', now) - scheduler.shiftStart;
  const first = Math.max(0, Math.ceil(behind / parameters.shiftDurationMs));
  if (first === 0 && operator === scheduler.operator) return shiftAt(scheduler, operator, 0, parameters);
  const position = positionOf(active, operator);
  if (position < 0) return null;
  // Turn number k is that of position (below - k) modulo n; the least k from `earliest` on that gives `position`.
  const earliest = Math.max(1, first);
  const below = countBelow(active, scheduler.operator);
  const turns = earliest + modulo(below - position - earliest, active.length);
  return shiftAt(scheduler, operator, turns, parameters);
}

/** How many whole shifts lie between the start of the current one and `t`; negative before it. */
export function turnsUntil(scheduler: SchedulerDatum, t: number, { shiftDurationMs }: ProtocolParameters): number {
  return Math.floor((t - scheduler.shiftStart) / shiftDurationMs);
}

function shiftAt(
  { shiftStart }: SchedulerDatum,
  operator: PubKeyHash,
  turns: number,
  { shiftDurationMs }: ProtocolParameters,
): Shift {
  const start = shiftStart + turns * shiftDurationMs;
  return { operator, start, end: start + shiftDurationMs };
}
