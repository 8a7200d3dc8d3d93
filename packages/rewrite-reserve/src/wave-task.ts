import type { PendingRewrite } from './pending-rewrite.js';
import type { Wave } from './plan-waves.js';
import type { NodeKey } from './resource-keys.js';

/** What the function of `runWaves` is told about one rewrite. Plain data, so that it can go to another thread. */
export interface WaveTask {
  /** Number of the wave, from 0. */
  readonly wave: number;
  /** Position in `waves.flat()`. */
  readonly index: number;
  readonly scopeHash: Uint8Array;
  readonly compactRule: number;
  readonly ruleId?: Uint8Array;
  readonly scope: NodeKey;
}

/** Carries out one rewrite. `shared` is the memory handed to `runWaves`, the same on every thread. */
export type WaveFunction<R> = (task: WaveTask, shared?: SharedArrayBuffer) => R | Promise<R>;

/** How one task ended. */
export type Outcome<R> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: unknown };

/** Runs the tasks of one wave, all of them whatever fails, and gives their outcomes in order. */
export type WaveRunner<R> = (tasks: readonly WaveTask[]) => Promise<readonly Outcome<R>[]>;

/** The tasks of every wave, numbered through. */
export function tasksOf(waves: readonly Wave[]): WaveTask[][] {
  let index = 0;
  return waves.map((wave, number) => wave.map((rewrite) => taskOf(rewrite, number, index++)));
}

function taskOf({ scopeHash, compactRule, ruleId, scope }: PendingRewrite, wave: number, index: number): WaveTask {
  const task = { wave, index, scopeHash, compactRule, scope: { warp: scope.warp, id: scope.id } };
  return ruleId === undefined ? task : { ...task, ruleId };
}
