import type { PointKey } from '../keys/resource-keys.js';
import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import type { Wave } from './plan-waves.js';

/** What a function that carries out rewrites receives about one of them. Plain data, so that it can go to another thread. */
export interface RewriteTask {
  /** Position in `waves.flat()` for `runWaves`, in the canonical order for everything else. */
  readonly index: number;
  readonly scopeHash: Uint8Array;
  readonly compactRule: number;
  readonly ruleId?: Uint8Array;
  readonly scope: PointKey;
  readonly payload?: unknown;
}

/** A task of `runWaves`. */
export interface WaveTask extends RewriteTask {
  /** Number of the wave, from 0. */
  readonly wave: number;
}

/** Carries out one rewrite. `shared` is the memory passed to `runWaves`, the same on every thread. */
export type WaveFunction<R> = (task: WaveTask, shared?: SharedArrayBuffer) => R | Promise<R>;

/** How one task ended. */
export type Outcome<R> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: unknown };

export const succeeded = <R>(value: R): Outcome<R> => ({ ok: true, value });
export const failed = (error: unknown): Outcome<never> => ({ ok: false, error });

/** Runs the tasks of one wave, all of them whatever fails, and returns their outcomes in order. */
export type WaveRunner<R> = (tasks: readonly WaveTask[]) => Promise<readonly Outcome<R>[]>;

/** The tasks of every wave, numbered through. */
export function tasksOf(waves: readonly Wave[]): WaveTask[][] {
  let index = 0;
  return waves.map((wave, number) => wave.map((rewrite) => taskOf(rewrite, number, index++)));
}

function taskOf(rewrite: PendingRewrite, wave: number, index: number): WaveTask {
  return { wave, ...taskFields(rewrite, index) };
}

/** The fields that a task takes from its rewrite; missing ones stay missing. */
export function taskFields(rewrite: Omit<PendingRewrite, 'footprint'>, index: number): RewriteTask {
  const { scopeHash, compactRule, ruleId, scope, payload } = rewrite;
  return {
    index,
    scopeHash,
    compactRule,
    scope: { warp: scope.warp, id: scope.id! },
    ...(ruleId === undefined ? {} : { ruleId }),
    ...(payload === undefined ? {} : { payload }),
  };
}
