import type { Id, Path } from '../keys/resource-keys.js';
import type { RewriteTask } from './wave-task.js';

/**
 * Tasks as a few blocks of shared memory. Sending a list of objects to a thread copies every one of them, and every hash with a buffer of
 * its own, which takes longer than short tasks do; this is shared as it is, and a thread makes the object of a task when its turn comes.
 * `wave-worker-source` reads it.
 */
export interface PackedTasks {
  /** Six words per task: wave, rule, rule id, forms, warp, id. A handle stands there itself, a name or text by its position. */
  readonly heads: Uint32Array;
  /** 32 bytes per task. */
  readonly hashes: Uint8Array;
  /** 32 bytes at each position. */
  readonly ruleIds: Uint8Array;
  readonly names: Uint8Array;
  readonly texts: readonly string[];
  readonly paths: readonly Path[];
  /** By task; undefined when no task has a payload. The only part that is cloned for every thread. */
  readonly payloads: readonly unknown[] | undefined;
}

export const HEAD_WORDS = 6;
/** Forms of warp and id in two bits each. */
export const TASK_FORM = { number: 0, bytes: 1, text: 2, path: 3 } as const;
/** Stands for "no rule id" where its position would be. */
export const NO_RULE_ID = 0xffff_ffff;

/** The tasks in shared memory; their index is their position. */
export function packTasks(tasks: readonly (RewriteTask & { readonly wave?: number })[]): PackedTasks {
  const names = new NameList();
  const ruleIds = new NameList();
  const texts = new Map<string, number>();
  const heads = new Uint32Array(new SharedArrayBuffer(tasks.length * HEAD_WORDS * 4));
  const hashes = new Uint8Array(new SharedArrayBuffer(tasks.length * 32));
  const paths: Path[] = [];
  const payloads = tasks.some(({ payload }) => payload !== undefined) ? tasks.map(({ payload }) => payload) : undefined;
  const position = (id: Id | Path): number => {
    if (typeof id === 'number') return id;
    if (isPath(id)) return paths.push(id) - 1;
    if (typeof id === 'object') return names.add(id);
    if (!texts.has(id)) texts.set(id, texts.size);
    return texts.get(id)!;
  };
  for (const [at, { wave = 0, compactRule, ruleId, scope, scopeHash }] of tasks.entries()) {
    const ruleIdAt = ruleId === undefined ? NO_RULE_ID : ruleIds.add(ruleId);
    const forms = formOf(scope.warp) | (formOf(scope.id) << 2);
    heads.set([wave, compactRule, ruleIdAt, forms, position(scope.warp), position(scope.id)], at * HEAD_WORDS);
    hashes.set(scopeHash, at * 32);
  }
  return { heads, hashes, ruleIds: ruleIds.shared(), names: names.shared(), texts: [...texts.keys()], paths, payloads };
}

function formOf(id: Id | Path): number {
  if (typeof id === 'number') return TASK_FORM.number;
  if (isPath(id)) return TASK_FORM.path;
  return typeof id === 'object' ? TASK_FORM.bytes : TASK_FORM.text;
}

const isPath = (id: Id | Path): id is Path => Array.isArray(id);

/** Names of 32 bytes one after the other; neighbours that are the same object are one. */
class NameList {
  private readonly names: Uint8Array[] = [];

  add(name: Uint8Array): number {
    if (this.names.at(-1) !== name) this.names.push(name);
    return this.names.length - 1;
  }

  shared(): Uint8Array {
    const bytes = new Uint8Array(new SharedArrayBuffer(this.names.length * 32));
    for (const [at, name] of this.names.entries()) bytes.set(name, at * 32);
    return bytes;
  }
}
