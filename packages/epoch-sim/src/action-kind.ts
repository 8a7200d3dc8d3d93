import { Flag } from './action-table.js';
import { effortPercent, isBaseDuration } from './effective-duration.js';
import type { ActionDef, RejectionCode } from './interchange.js';
import type { Need } from './resource-table.js';
import { quote } from './sim-errors.js';

/** Why an action cannot be carried out; the message is completed with the action's id. */
export interface Fault {
  readonly code: RejectionCode;
  readonly problem: string;
}

/** A checked definition. `locks` are deduplicated and in code-unit order. */
export interface ActionKind {
  readonly verb: string;
  readonly def: ActionDef;
  readonly base: number;
  readonly effort: number;
  readonly flags: number;
  readonly locks: readonly string[];
  readonly needs: readonly Need[];
  readonly priority: number;
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
  if (!isBaseDuration(given.base_duration_min)) {
    const found = quote(given.base_duration_min);
    return invalidDuration(`base_duration_min of ${quote(verb)} is ${found}; give a whole number of minutes >= 1`);
  }
  if (effort === null)
    return invalidDuration(`effort of ${quote(verb)} is ${quote(given.effort)}; give low, medium or high`);
  const malformed = malformedField(given);
  if (malformed !== null) return { code: 'InvalidAction', problem: `definition of ${quote(verb)}: ${malformed}` };
  const fails = given.on_conflict === undefined ? failsByDefault : given.on_conflict === 'fail';
  return {
    verb,
    def: given,
    base: given.base_duration_min,
    effort,
    flags:
      (given.interruptible === true ? Flag.interruptible : 0) |
      (given.may_trigger_event === true ? Flag.triggers : 0) |
      (given.preempts === true ? Flag.preempts : 0) |
      (fails ? Flag.failsOnConflict : 0),
    locks: [...new Set(given.locks ?? [])].sort(byCodeUnit),
    needs: (given.resources ?? []).map(({ name, amount, mode }) => ({ name, amount, returned: mode === 'return' })),
    priority: given.priority ?? 0,
    skill: given.skill ?? verb,
  };
}

function invalidDuration(problem: string): Fault {
  return { code: 'InvalidDuration', problem };
}

function malformedField(def: ActionDef): string | null {
  const { locks = [], resources = [], priority = 0, skill = '' } = def;
  if (!Array.isArray(locks) || locks.some((lock) => typeof lock !== 'string')) return 'locks must be a list of names';
  if (!Array.isArray(resources) || resources.some((need) => typeof need?.name !== 'string'))
    return 'resources must be a list of { name, amount }';
  if (!Number.isFinite(priority)) return 'priority must be a finite number';
  return typeof skill === 'string' ? null : 'skill must be a name';
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
