import type { EpochWindow } from './epoch-window.js';
import { epochWindow } from './epoch-window.js';
import type { EpochInput, EpochOptions } from './interchange.js';
import { type CompiledModifier, compileModifiers } from './modifiers.js';
import { checkNoise } from './noise.js';
import type { Onlookers } from './visibility.js';

/** What stays the same while a state moves on. */
export interface EngineRules {
  readonly window: EpochWindow;
  readonly options: EpochOptions;
  readonly defs: readonly unknown[];
  readonly skills: unknown;
  readonly rawModifiers: EpochInput['modifiers'];
  readonly modifiers: readonly CompiledModifier[];
  readonly onlookers: Onlookers;
}

/** Reads the rules of an input; what it leaves out comes from the carry-over. Throws `InvalidEpoch` and `InvalidModifier`. */
export function engineRules(input: EpochInput, options: EpochOptions): EngineRules {
  const context = input.carry_over?.context;
  const rawModifiers = input.modifiers ?? context?.modifiers;
  const allies = input.allies ?? context?.allies;
  checkNoise(options.noise);
  return {
    window: epochWindow(input.epoch, options),
    options,
    defs: [input.action_defs, context?.action_defs],
    skills: input.skills ?? context?.skills,
    rawModifiers,
    modifiers: compileModifiers(rawModifiers),
    onlookers: { pc: input.pc ?? context?.pc, allies: new Set(Array.isArray(allies) ? allies : []) },
  };
}
