/** One way to do the work: a timed `run`, or a `sample` that returns its own value. */
export interface Contender<State = unknown> {
  /** Made once before the first round; not timed. */
  setup?(): State | Promise<State>;
  /** Timed. Return what was computed, so that the engine cannot drop the work. */
  run?(state: State): unknown;
  /** Instead of `run`: one value in the bench's unit, measured by the contender itself (memory, a child process). */
  sample?(state: State): number | Promise<number>;
  teardown?(state: State): unknown;
  /** How many operations one `run` does; the printed figure is per operation. 1 by default. */
  operations?: number | ((state: State) => number);
}

/** A figure that the contract requires: against a peer in the same run, or of our own median. */
export type Wanted = { against: string; ratioAtLeast: number } | { atMost: number };

/** Our code and its peers doing the same work. */
export interface BenchDefinition {
  /** Slash-separated; `pnpm bench cron/next` runs every name that begins with it. */
  name: string;
  /** The meaning of one operation, and what makes the contenders comparable. */
  about?: string;
  /** The contender that ratios are quoted for. */
  ours: string;
  /** `ns` per operation unless the contenders sample something else. */
  unit?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each contender has a state of its own, known only to itself
  contenders: Record<string, Contender<any>>;
  wanted?: readonly Wanted[];
}

/** Checks the names that a definition refers to, and returns it. */
export function defineBench(definition: BenchDefinition): BenchDefinition {
  const { name, ours, contenders, wanted = [] } = definition;
  const known = Object.keys(contenders);
  const fail = (problem: string): never => {
    throw new Error(`Bench ${name}: ${problem}; contenders are ${known.join(', ')}`);
  };
  if (!known.includes(ours)) fail(`ours is "${ours}"`);
  for (const [key, contender] of Object.entries(contenders)) {
    if ((contender.run === undefined) === (contender.sample === undefined)) fail(`"${key}" needs either run or sample`);
  }
  for (const want of wanted) {
    if ('against' in want && !known.includes(want.against)) fail(`wanted names "${want.against}"`);
  }
  return definition;
}
