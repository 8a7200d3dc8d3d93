import { flowOfStep, type LinkedStep, type StepStanding, stepId } from '../model/flow-rows.js';
import { afterEndBefore, countsAsFailed, isStepOver, judgeStep, type StepEndState } from './judge-step.js';

/** Selects steps to read: some by id, or all of some flows. */
export type StepSelection = { readonly ids: readonly number[] } | { readonly flowIds: readonly number[] };

/** Reads the steps of flows while no other transaction can change them. */
export interface StepReads {
  standings(which: { readonly ids: readonly number[] }): Promise<readonly StepStanding[]>;
  /** With the steps after them, which may be many: read only for steps that are over. */
  linked(which: StepSelection): Promise<readonly LinkedStep[]>;
}

/** The end of a step. */
export interface StepEnd {
  readonly id: number;
  readonly state: StepEndState;
  /** The latest attempt; null: the step has no run. */
  readonly runId: number | null;
}

/** The consequences of the ends of steps. */
export interface Settlement {
  /** Every step that changed, as it is now; steps that start are still waiting. */
  readonly changed: readonly StepStanding[];
  /** The steps whose conditions hold, by id. */
  readonly starting: readonly number[];
  /** The changes to the counts of open and failed steps, by flow. */
  readonly flows: ReadonlyMap<number, { readonly open: number; readonly failed: number }>;
}

/** After this many waves the whole flow is read at once: a skipped chain would otherwise cost two reads per step. */
const WAVES_READ_STEP_BY_STEP = 3;

/** The steps read so far. Reads missing steps on demand. */
class StepBook {
  private readonly standings = new Map<number, StepStanding>();
  private readonly links = new Map<number, readonly number[]>();
  private readonly whole = new Set<number>();
  readonly changed = new Set<number>();
  readonly flows = new Map<number, { open: number; failed: number }>();

  constructor(private readonly reads: StepReads) {}

  /** Reads the steps and, in the first waves, no others. */
  async read(ids: readonly number[], wave: number): Promise<void> {
    const unknown = ids.filter((id) => !this.links.has(id) && !this.whole.has(flowOfStep(id)));
    if (unknown.length === 0) return;
    if (wave < WAVES_READ_STEP_BY_STEP) {
      await this.readLinked({ ids: unknown });
      return;
    }
    const flowIds = [...new Set(unknown.map(flowOfStep))].sort((a, b) => a - b);
    await this.readLinked({ flowIds });
    for (const id of flowIds) this.whole.add(id);
  }

  private async readLinked(which: StepSelection): Promise<void> {
    for (const { next, ...standing } of await this.reads.linked(which)) {
      this.links.set(standing.id, next);
      this.note(standing);
    }
  }

  /** A read does not overwrite steps that have changed here. */
  private note(standing: StepStanding): void {
    if (!this.standings.has(standing.id)) this.standings.set(standing.id, standing);
  }

  /** The steps after a step. */
  next(id: number): readonly number[] {
    const flowId = flowOfStep(id);
    return (this.links.get(id) ?? []).map((index) => stepId(flowId, index));
  }

  isKnown(id: number): boolean {
    return this.standings.has(id) || this.whole.has(flowOfStep(id));
  }

  get(id: number): StepStanding | undefined {
    return this.standings.get(id);
  }

  put(standing: StepStanding): void {
    this.standings.set(standing.id, standing);
    this.changed.add(standing.id);
  }

  count(id: number, open: number, failed: number): void {
    const flowId = flowOfStep(id);
    const counts = this.flows.get(flowId) ?? { open: 0, failed: 0 };
    this.flows.set(flowId, { open: counts.open + open, failed: counts.failed + failed });
  }

  /** Reads the steps after all of these that are not known yet. */
  async readNext(ids: readonly number[]): Promise<readonly number[]> {
    const next = [...new Set(ids.flatMap((id) => this.next(id)))].sort((a, b) => a - b);
    const unknown = next.filter((id) => !this.isKnown(id));
    if (unknown.length > 0) for (const standing of await this.reads.standings({ ids: unknown })) this.note(standing);
    return next;
  }
}

/** Ends steps, and determines which of the following steps start and which never can, transitively. */
export async function settleSteps(reads: StepReads, ends: readonly StepEnd[]): Promise<Settlement> {
  const book = new StepBook(reads);
  const starting = new Set<number>();
  let wave = ends;
  for (let depth = 0; wave.length > 0; depth++) {
    const ids = wave.map(({ id }) => id);
    await book.read(ids, depth);
    const ended = wave.filter(({ id }) => book.get(id) !== undefined && !isStepOver(book.get(id)!.state));
    for (const { id, state, runId } of ended) {
      book.put({ ...book.get(id)!, state, runId });
      book.count(id, -1, countsAsFailed(state) ? 1 : 0);
    }
    const after = await book.readNext(ended.map(({ id }) => id));
    for (const { id, state } of ended) {
      for (const next of book.next(id)) {
        const standing = book.get(next);
        if (standing !== undefined) book.put(afterEndBefore(standing, state, 1));
      }
    }
    const judged = after.flatMap((id) => book.get(id) ?? []).filter(({ state }) => state === 'waiting');
    for (const standing of judged) if (judgeStep(standing) === 'start') starting.add(standing.id);
    wave = judged
      .filter((standing) => judgeStep(standing) === 'skip')
      .map(({ id }): StepEnd => ({ id, state: 'skipped', runId: null }));
  }
  return settlementOf(book, starting);
}

/** Reopens steps whose runs are retried: steps skipped because of their end wait again, steps that have started are unchanged. */
export async function reopenSteps(
  reads: StepReads,
  retried: readonly { readonly id: number; readonly fireId: number }[],
): Promise<Settlement> {
  const book = new StepBook(reads);
  let wave: readonly { readonly id: number; readonly to: 'open' | 'waiting'; readonly runId: number | null }[] =
    retried.map(({ id, fireId }) => ({ id, to: 'open', runId: fireId }));
  for (let depth = 0; wave.length > 0; depth++) {
    const ids = wave.map(({ id }) => id);
    await book.read(ids, depth);
    const opened = wave.filter(({ id }) => book.get(id) !== undefined && isStepOver(book.get(id)!.state));
    const before = new Map(opened.map(({ id }) => [id, book.get(id)!.state as StepEndState]));
    for (const { id, to, runId } of opened) {
      book.count(id, 1, countsAsFailed(before.get(id)!) ? -1 : 0);
      book.put({ ...book.get(id)!, state: to, runId });
    }
    const after = await book.readNext(opened.map(({ id }) => id));
    for (const { id } of opened) {
      for (const next of book.next(id)) {
        const standing = book.get(next);
        if (standing !== undefined) book.put(afterEndBefore(standing, before.get(id)!, -1));
      }
    }
    wave = after
      .flatMap((id) => book.get(id) ?? [])
      // A step that has a run of its own was skipped by its executor and not by its condition.
      .filter((standing) => standing.state === 'skipped' && standing.runId === null && judgeStep(standing) === 'wait')
      .map(({ id }) => ({ id, to: 'waiting', runId: null }));
  }
  return settlementOf(book, new Set());
}

function settlementOf(book: StepBook, starting: ReadonlySet<number>): Settlement {
  const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);
  return {
    changed: ascending(book.changed).map((id) => book.get(id)!),
    starting: ascending(starting),
    flows: book.flows,
  };
}
