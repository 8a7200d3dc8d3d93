import type { LockDef } from '../interchange/happenings.js';
import type { EpochInput } from '../interchange/interchange.js';
import { type CompiledModifier, compileModifiers } from '../interchange/modifiers.js';
import { checkNoise } from '../interchange/noise.js';
import type { EpochOptions } from '../interchange/options.js';
import { invalidEpoch } from '../interchange/sim-errors.js';
import type { Onlookers } from '../interchange/visibility.js';
import { LockKind, MAX_CAPACITY } from '../tables/lock-table.js';
import type { EpochWindow } from './epoch-window.js';
import { epochWindow } from './epoch-window.js';

/** The part of a state that never changes. */
export interface EngineRules {
  readonly window: EpochWindow;
  readonly options: EpochOptions;
  readonly seed: number | string;
  readonly defs: readonly unknown[];
  readonly skills: unknown;
  readonly rawModifiers: EpochInput['modifiers'];
  readonly modifiers: readonly CompiledModifier[];
  readonly rawLockDefs: EpochInput['lock_defs'];
  readonly lockDefs: ReadonlyMap<string, CompiledLock>;
  readonly onlookers: Onlookers;
}

/** A checked definition of a lock. */
export interface CompiledLock {
  readonly capacity: number;
  readonly kind: number;
}

/** Reads the rules of an input; what it leaves out comes from the carry-over. Throws `InvalidEpoch` and `InvalidModifier`. */
export function engineRules(input: EpochInput, options: EpochOptions): EngineRules {
  const context = input.carry_over?.context;
  const rawModifiers = input.modifiers ?? context?.modifiers;
  const allies = input.allies ?? context?.allies;
  checkNoise(options.noise);
  const { seed = 0 } = options;
  if (typeof seed !== 'string' && !Number.isFinite(seed)) fail('seed', seed, 'give a finite number or a text');
  const rawLockDefs = lockDefsOf(input.lock_defs, context?.lock_defs);
  return {
    window: epochWindow(input.epoch, options),
    options,
    seed,
    defs: [input.action_defs, context?.action_defs],
    skills: input.skills ?? context?.skills,
    rawModifiers,
    modifiers: compileModifiers(rawModifiers),
    rawLockDefs,
    lockDefs: compileLocks(rawLockDefs, options.actor_exclusive === true),
    onlookers: { pc: input.pc ?? context?.pc, allies: new Set(Array.isArray(allies) ? allies : []) },
  };
}

/** Locks that the input does not define are as in the carry-over. */
function lockDefsOf(given: EpochInput['lock_defs'], carried: EpochInput['lock_defs']): EpochInput['lock_defs'] {
  if (given === undefined || given === null) return carried;
  if (typeof given !== 'object' || Array.isArray(given))
    fail('lock_defs', given, 'give a map from names to definitions');
  return carried === undefined ? given : { ...carried, ...given };
}

function compileLocks(defs: EpochInput['lock_defs'], actorExclusive: boolean): Map<string, CompiledLock> {
  const compiled = new Map<string, CompiledLock>();
  for (const [name, def] of Object.entries(defs ?? {})) {
    const { capacity = 1, order = 'fifo' } = (def ?? {}) as LockDef;
    const field = `lock_defs.${name}`;
    if (typeof def !== 'object' || def === null) fail(field, def, 'give { capacity, order }');
    const unknown = Object.keys(def).find((key) => key !== 'capacity' && key !== 'order');
    if (unknown !== undefined)
      fail(`${field}.${unknown}`, def[unknown as keyof LockDef], 'give capacity and order alone');
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_CAPACITY)
      fail(`${field}.capacity`, capacity, `give a whole number from 1 to ${MAX_CAPACITY}`);
    if (order !== 'fifo' && order !== 'priority') fail(`${field}.order`, order, 'give fifo or priority');
    if (order === 'priority' && actorExclusive)
      fail(`${field}.order`, order, 'give fifo, or leave actor_exclusive out: two orders can block each other');
    compiled.set(name, { capacity, kind: order === 'priority' ? LockKind.priority : LockKind.wide });
  }
  return compiled;
}

function fail(field: string, value: unknown, remedy: string): never {
  throw invalidEpoch(field, value, remedy);
}
