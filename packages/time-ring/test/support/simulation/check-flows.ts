import type { Flow, FlowInput } from '../../../src/model/flow.js';
import { flowOfStep, stepId } from '../../../src/model/flow-rows.js';
import type { NewRun } from '../../../src/store/job-store.js';
import type { FlowCommit } from './flow-commits.js';

/** A history of flows that is over. */
export interface FlowHistory {
  readonly seed: string;
  readonly input: FlowInput;
  readonly commits: readonly FlowCommit[];
  /** As they are in the end. */
  readonly flows: readonly Flow[];
}

interface Step {
  readonly after: readonly number[];
  readonly when: 'succeeded' | 'failed' | 'over';
  readonly params: unknown;
  /** What its latest run became; null: it has none. */
  state: 'open' | 'succeeded' | 'failed' | 'killed' | 'skipped' | null;
  result: unknown;
}

interface Known {
  readonly steps: Step[];
  isCancelled: boolean;
}

/** What of the promises about flows a history breaks: the commits are gone through one by one, and judged by the words of the contract. */
export function checkFlows({ input, commits, flows }: FlowHistory): string[] {
  const breaches: string[] = [];
  const known = new Map<number, Known>();
  const runs = new Map<number, NewRun>();
  for (const commit of commits) {
    for (const { id, run } of commit.inserted) runs.set(id, run);
    const touched = new Set<number>();
    for (const flowId of flowsOf(commit, runs)) {
      touched.add(flowId);
      if (!known.has(flowId)) known.set(flowId, begin(input));
    }
    for (const { id, isCancelled } of commit.flows) if (isCancelled) known.get(id)!.isCancelled = true;
    applyEnds(commit, runs, known);
    applyStarts(commit, known, input, (text) => breaches.push(text));
    for (const flowId of touched) {
      const { steps, isCancelled } = known.get(flowId)!;
      const late = steps.findIndex((step, i) => step.state === null && verdict(steps, i) === 'start');
      if (late >= 0 && !isCancelled) breaches.push(`late: step ${late} of flow ${flowId} could start and has no run`);
    }
  }
  for (const flow of flows) breaches.push(...checkEnd(flow, known.get(flow.id)!));
  return breaches;
}

function begin({ steps }: FlowInput): Known {
  const names = Object.keys(steps);
  return {
    steps: Object.values(steps).map(({ after = [], when = 'succeeded', params }) => ({
      ...{ after: after.map((name) => names.indexOf(name)), when, params, state: null, result: null },
    })),
    isCancelled: false,
  };
}

function flowsOf({ inserted, ended }: FlowCommit, runs: ReadonlyMap<number, NewRun>): Set<number> {
  const steps = [...inserted.map(({ run }) => run.flowStep), ...ended.map(({ id }) => runs.get(id)?.flowStep ?? null)];
  return new Set(steps.flatMap((step) => (step === null ? [] : [flowOfStep(step)])));
}

function applyEnds({ inserted, ended }: FlowCommit, runs: ReadonlyMap<number, NewRun>, known: Map<number, Known>) {
  for (const { id, state, result } of ended) {
    const run = runs.get(id);
    if (run === undefined || run.flowStep === null) continue;
    const fireId = run.fireId ?? id;
    if (inserted.some((next) => next.run.fireId === fireId && next.run.attempt === run.attempt + 1)) continue;
    const step = stepOf(known, run.flowStep);
    step.state = state;
    step.result = state === 'succeeded' ? (result ?? null) : null;
  }
}

function applyStarts(
  { inserted }: FlowCommit,
  known: Map<number, Known>,
  input: FlowInput,
  breach: (text: string) => void,
): void {
  const names = Object.keys(input.steps);
  const fresh = inserted.filter(({ run }) => run.flowStep !== null);
  // What starts together is judged before any of it has started.
  for (const { run } of fresh) {
    const { steps, isCancelled } = known.get(flowOfStep(run.flowStep!))!;
    const index = run.flowStep! - stepId(flowOfStep(run.flowStep!), 0);
    const step = steps[index]!;
    if (run.fireId !== null) continue;
    if (step.state !== null) breach(`twice: step ${index} has a run, and gets another`);
    else if (isCancelled) breach(`cancelled: step ${index} starts in a cancelled flow`);
    else if (verdict(steps, index) !== 'start') breach(`early: step ${index} starts before its conditions hold`);
    const from = (step.params as { from?: string | string[] } | undefined)?.from;
    const resultOf = (name: string) => steps[names.indexOf(name)]!.result;
    const wanted =
      typeof from === 'string'
        ? resultOf(from)
        : from && Object.fromEntries(from.map((each) => [each, resultOf(each)]));
    const handed = (run.params as { from?: unknown } | null)?.from;
    if (JSON.stringify(handed) !== JSON.stringify(wanted)) breach(`params: step ${index} was handed the wrong results`);
  }
  for (const { run } of fresh) stepOf(known, run.flowStep!).state = 'open';
}

function stepOf(known: ReadonlyMap<number, Known>, step: number): Step {
  return known.get(flowOfStep(step))!.steps[step - stepId(flowOfStep(step), 0)]!;
}

/** What the contract says of a step without a run. */
function verdict(steps: readonly Step[], index: number): 'wait' | 'start' | 'skip' {
  const { after, when } = steps[index]!;
  const before = after.map((i) => steps[i]!.state ?? (verdict(steps, i) === 'skip' ? 'skipped' : null));
  const isOver = (state: Step['state']) => state !== null && state !== 'open';
  if (when === 'succeeded') {
    if (before.some((state) => isOver(state) && state !== 'succeeded')) return 'skip';
    return before.every((state) => state === 'succeeded') ? 'start' : 'wait';
  }
  if (!before.every(isOver)) return 'wait';
  if (when === 'over') return 'start';
  return before.some((state) => state === 'failed' || state === 'killed') ? 'start' : 'skip';
}

function checkEnd({ id, state, steps, endedAt }: Flow, { steps: known, isCancelled }: Known): string[] {
  const breaches: string[] = [];
  const wanted = known.map(
    (step, i) => step.state ?? (isCancelled || verdict(known, i) === 'skip' ? 'skipped' : 'waiting'),
  );
  const shown = Object.values(steps).map((step) => step.state);
  if (shown.join() !== wanted.join()) breaches.push(`steps: flow ${id} says ${shown.join()} and has ${wanted.join()}`);
  const hasFailed = wanted.some((each) => each === 'failed' || each === 'killed');
  const ended = isCancelled ? 'killed' : hasFailed ? 'failed' : 'succeeded';
  if (endedAt === null) breaches.push(`lost: flow ${id} is not over: ${shown.join()}`);
  else if (state !== ended) breaches.push(`state: flow ${id} is ${state} and not ${ended}`);
  return breaches;
}
