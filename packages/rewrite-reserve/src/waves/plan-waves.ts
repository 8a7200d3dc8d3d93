import { codesEnd, codesOf, codesStart, isRich } from '../footprint/sealed-footprint.js';
import { grown } from '../intern/growing-words.js';
import { createInterner, openInterner } from '../intern/interner.js';
import { inCanonicalOrder } from '../reserve/pending-queue.js';
import { checkRewrite, type PendingRewrite } from '../reserve/pending-rewrite.js';

import { Dependencies } from './dependencies.js';
import { EdgeList } from './dependency-graph.js';

/** Rewrites that may run at the same time, in canonical order. */
export type Wave = readonly PendingRewrite[];

/**
 * Groups rewrites into waves: every rewrite goes into the earliest wave after all the rewrites that it conflicts with and that precede it
 * in canonical order (scopeHash, compactRule, position). Running wave after wave, with any order inside a wave, has the same result as
 * running all of them one by one in canonical order. Without rewrites there are no waves. Phases are not touched, nothing is reserved,
 * duplicates are not dropped and factor masks are not consulted.
 */
export function planWaves(rewrites: readonly PendingRewrite[]): Wave[] {
  const isPlain = rewrites.map((rewrite) => isRich(checkRewrite(rewrite))).every((rich) => !rich);
  const waves: PendingRewrite[][] = [];
  const levels = isPlain ? new ResourceLevels() : new DependencyLevels(rewrites.length);
  for (const rewrite of inCanonicalOrder(rewrites)) {
    const level = levels.place(rewrite);
    waves[level - 1] ??= [];
    waves[level - 1]!.push(rewrite);
  }
  return waves;
}

/** Per resource the highest level of a writer and of a reader so far; 0 for none. */
class ResourceLevels {
  /** The plan has an interner of its own, so that what it has seen is freed with it. */
  private readonly interner = openInterner(createInterner());
  /** Entry `resource * 2` is the highest reader, `resource * 2 + 1` the highest writer: the index is the code of a use. */
  private levels = new Uint32Array(1024);

  place(rewrite: PendingRewrite): number {
    const footprint = checkRewrite(rewrite);
    this.interner.compile(footprint);
    const codes = codesOf(footprint);
    const start = codesStart(footprint);
    const end = codesEnd(footprint);
    if (this.interner.resources * 2 > this.levels.length) {
      this.levels = grown(this.levels, this.interner.resources * 2);
    }
    const { levels } = this;
    let level = 1;
    for (let at = start; at < end; at++) {
      const code = codes[at]!;
      const afterWriter = levels[code | 1]! + 1;
      if (afterWriter > level) level = afterWriter;
      const afterReader = (code & 1) === 1 ? levels[code ^ 1]! + 1 : 0;
      if (afterReader > level) level = afterReader;
    }
    for (let at = start; at < end; at++) {
      const code = codes[at]!;
      if (levels[code]! < level) levels[code] = level;
    }
    return level;
  }
}

/** The same for rewrites with adds or paths, by what each has to wait for. */
class DependencyLevels {
  private readonly dependencies: Dependencies;
  private placed = 0;

  constructor(count: number) {
    this.dependencies = new Dependencies(openInterner(createInterner()), new EdgeList(count));
  }

  place(rewrite: PendingRewrite): number {
    const task = this.placed++;
    this.dependencies.place(task, checkRewrite(rewrite));
    return this.dependencies.edges.levelOf(task);
  }
}
