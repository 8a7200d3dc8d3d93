import {
  type Distribution,
  type DistributionFault,
  distributionFault,
  faultWords,
} from '../interchange/distribution.js';
import { effortPercent, isBaseDuration } from '../interchange/effective-duration.js';
import type { LockNeed } from '../interchange/happenings.js';
import type { ActionDef, RejectionCode } from '../interchange/interchange.js';
import { quote } from '../interchange/sim-errors.js';
import { Flag } from '../tables/action-table.js';
import { isAmount, type Need, type Yield } from '../tables/resource-table.js';

/** Why an action cannot be carried out; the message is completed with the action's id. */
export interface Fault {
  readonly code: RejectionCode;
  readonly problem: string;
}

/** A checked definition. `locks` are deduplicated and in code-unit order. */
export interface ActionKind {
  readonly verb: string;
  readonly def: ActionDef;
  readonly base: number | Distribution;
  readonly effort: number;
  readonly flags: number;
  readonly locks: readonly string[];
  /** Units of each lock; undefined when all are 1. */
  readonly units: readonly number[] | undefined;
  readonly needs: readonly Need[];
  readonly yields: readonly Yield[];
  /** Whether it waits for its resources. */
  readonly waits: boolean;
  readonly priority: number;
  readonly patience: number | null;
  readonly skill: string;
}

export function isFault(value: object): value is Fault {
  return 'problem' in value;
}

/** Checks a definition. `failsByDefault` is the epoch's lock policy, which `on_conflict` overrides. */
export function compileKind(verb: string, def: unknown, failsByDefault: boolean): ActionKind | Fault {
  if (typeof def !== 'object' || def === null) {
    return { code: 'UnknownVerb', problem: `verb ${quote(verb)} has no definition; add it to action_defs` };
  }
  const given = def as ActionDef;
  const effort = effortPercent(given.effort);
  const duration = durationFault(given.base_duration_min);
  if (duration !== null) return invalidDuration(`base_duration_min of ${quote(verb)}: ${faultWords(duration)}`);
  if (effort === null)
    return invalidDuration(`effort of ${quote(verb)} is ${quote(given.effort)}; give low, medium or high`);
  const malformed = malformedField(given);
  if (malformed !== null) return { code: 'InvalidAction', problem: `definition of ${quote(verb)}: ${malformed}` };
  const fails = given.on_conflict === undefined ? failsByDefault : given.on_conflict === 'fail';
  const { resources = [] } = given;
  const needs = resources.filter(({ mode }) => mode !== 'produce');
  const waits = given.on_shortage === 'wait' && needs.length > 0;
  // Without a spread the object has its fields inside, where every action looks for them.
  const { locks, units } = lockNeeds(given.locks ?? []);
  return {
    verb,
    def: given,
    base: given.base_duration_min,
    effort,
    flags:
      (given.interruptible === true ? Flag.interruptible : 0) |
      (given.may_trigger_event === true ? Flag.triggers : 0) |
      (given.preempts === true ? Flag.preempts : 0) |
      (fails ? Flag.failsOnConflict : 0) |
      (waits || given.patience_min !== undefined ? Flag.special : 0),
    locks,
    units,
    needs: needs.map(({ name, amount, mode }) => ({ name, amount, returned: mode === 'return' })),
    yields: resources.filter(({ mode }) => mode === 'produce').map(({ name, amount }) => ({ name, amount })),
    waits,
    priority: given.priority ?? 0,
    patience: given.patience_min ?? null,
    skill: given.skill ?? verb,
  };
}

/** For a lock that is named twice the larger number of units counts. */
function lockNeeds(given: readonly LockNeed[]): Pick<ActionKind, 'locks' | 'units'> {
  const units = new Map<string, number>();
  for (const need of given) {
    const { name, units: wanted = 1 } = typeof need === 'string' ? { name: need } : need;
    units.set(name, Math.max(wanted, units.get(name) ?? 1));
  }
  const locks = [...units.keys()].sort(byCodeUnit);
  const counts = locks.map((lock) => units.get(lock)!);
  return { locks, units: counts.every((count) => count === 1) ? undefined : counts };
}

/** The fault of a duration, which is whole minutes or a distribution. */
export function durationFault(value: unknown): DistributionFault | null {
  if (isBaseDuration(value)) return null;
  if (typeof value === 'object' && value !== null) return distributionFault(value);
  return { field: undefined, value, expected: 'a whole number of minutes >= 1, or a distribution' };
}

export function isPatience(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function invalidDuration(problem: string): Fault {
  return { code: 'InvalidDuration', problem };
}

function malformedField(def: ActionDef): string | null {
  const { locks = [], resources = [], priority = 0, skill = '', on_shortage = 'reject', patience_min = 1 } = def;
  if (!Array.isArray(locks) || !locks.every(isLockNeed)) return 'locks must be a list of names or { name, units }';
  if (!Array.isArray(resources) || resources.some((need) => typeof need?.name !== 'string'))
    return 'resources must be a list of { name, amount }';
  const bad = resources.find(({ amount }) => !isAmount(amount));
  if (bad !== undefined) return `amount of resource ${quote(bad.name)} is ${quote(bad.amount)}; give a number >= 0`;
  if (!Number.isFinite(priority)) return 'priority must be a finite number';
  if (on_shortage !== 'reject' && on_shortage !== 'wait') return 'on_shortage must be wait or reject';
  if (!isPatience(patience_min)) return `patience_min is ${quote(patience_min)}; give a whole number of minutes >= 1`;
  return typeof skill === 'string' ? null : 'skill must be a name';
}

export function isLockNeed(need: unknown): need is LockNeed {
  if (typeof need === 'string') return true;
  const { name, units = 1 } = (need ?? {}) as { name?: unknown; units?: unknown };
  return typeof name === 'string' && Number.isSafeInteger(units) && (units as number) >= 1;
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
