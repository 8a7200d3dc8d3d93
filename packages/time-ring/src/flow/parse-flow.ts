import { z } from 'zod';
import { TimeRingError } from '../model/errors.js';
import { type FlowInput, MAX_FLOW_LINKS, MAX_FLOW_STEPS, type StepCondition, stepConditions } from '../model/flow.js';
import type { JobRef } from '../model/job.js';
import { isBefore, orderSteps } from './order-steps.js';

/** A checked step. It refers to other steps by their number. */
export interface ParsedStep {
  readonly name: string;
  readonly job: JobRef;
  /** Null: the job's. A `from` that names steps is removed from them. */
  readonly params: readonly [unknown] | null;
  readonly sources: number | readonly number[] | null;
  readonly isSource: boolean;
  readonly condition: StepCondition;
  readonly after: readonly number[];
  readonly next: readonly number[];
}

export interface ParsedFlow {
  readonly name: string;
  readonly steps: readonly ParsedStep[];
}

const name = z.string().min(1).max(255);

const stepShape = z.strictObject({
  job: z.union([name, z.number().int().positive()]),
  params: z.json().optional(),
  after: z.array(z.string()).max(MAX_FLOW_STEPS).optional(),
  when: z.enum(stepConditions).optional(),
});

// Not a record schema: that would drop names which must be refused.
const flowShape = z.strictObject({
  name,
  steps: z.custom<Readonly<Record<string, unknown>>>(
    (steps) => typeof steps === 'object' && steps !== null && !Array.isArray(steps),
    'must be an object of steps by name',
  ),
});

type StepShape = z.output<typeof stepShape>;

/** Checks a flow. Throws 'bad-flow' with the field, the value and the expectation; names a cycle. */
export function parseFlow(input: FlowInput): ParsedFlow {
  const flow = read(flowShape, input, '');
  const names = Object.keys(flow.steps);
  if (names.length === 0) throw badFlow('steps', flow.steps, 'a flow needs at least one step');
  if (names.length > MAX_FLOW_STEPS) {
    throw badFlow('steps', names.length, `at most ${MAX_FLOW_STEPS} steps in one flow; got ${names.length}`);
  }
  for (const each of names) checkName(each);
  const shapes = names.map((each) => read(stepShape, flow.steps[each], `steps.${each}`));
  const numbers = new Map(names.map((each, i) => [each, i]));
  const after = shapes.map((shape, i) => readAfter(shape, names[i]!, numbers));
  checkLinks(after);
  const ordered = orderSteps(after);
  if (ordered.kind === 'cycle') throw cycleError(ordered.steps.map((i) => names[i]!));
  const next = turned(after);
  const params = shapes.map((shape) => splitParams(shape, numbers));
  checkSources(params, { names, after, order: ordered.order });
  const sources = new Set(params.flatMap((each) => sourceList(each.sources)));
  return {
    name: flow.name,
    steps: shapes.map((shape, i) => ({
      name: names[i]!,
      job: shape.job,
      ...params[i]!,
      isSource: sources.has(i),
      condition: shape.when ?? 'succeeded',
      after: after[i]!,
      next: next[i]!,
    })),
  };
}

/** The steps that `from` names, as a list. */
export function sourceList(sources: ParsedStep['sources']): readonly number[] {
  if (sources === null) return [];
  return typeof sources === 'number' ? [sources] : sources;
}

export function badFlow(field: string, value: unknown, problem: string, facts: object = {}): TimeRingError {
  return new TimeRingError('bad-flow', `${field}: ${problem}`, { ...facts, field, value });
}

function read<Shape extends z.ZodType>(shape: Shape, input: unknown, at: string): z.output<Shape> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue!.code === 'unrecognized_keys' ? [issue.keys[0]!] : [];
  const path = [...issue!.path.map(String), ...unknown];
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], input);
  const field = [...(at === '' ? [] : [at]), ...path].join('.') || 'flow';
  throw badFlow(field, value, unknown.length > 0 ? 'is not known' : issue!.message);
}

function checkName(step: string): void {
  // An object would treat this name as its prototype.
  if (step.length > 0 && step.length <= 255 && step !== '__proto__') return;
  throw badFlow('steps', step, 'the name of a step must have 1 to 255 characters and not be __proto__');
}

function readAfter({ after = [] }: StepShape, step: string, numbers: ReadonlyMap<string, number>): readonly number[] {
  return [...new Set(after)].map((before) => {
    const number = numbers.get(before);
    if (number !== undefined) return number;
    throw badFlow(`steps.${step}.after`, before, `there is no step "${before}" in this flow`);
  });
}

function checkLinks(after: readonly (readonly number[])[]): void {
  const links = after.reduce((sum, { length }) => sum + length, 0);
  if (links <= MAX_FLOW_LINKS) return;
  const remedy = 'let a step between two wide groups of steps join the first';
  throw badFlow('steps', links, `at most ${MAX_FLOW_LINKS} entries in all \`after\` together; got ${links}: ${remedy}`);
}

function cycleError(cycle: readonly string[]): TimeRingError {
  const shown = cycle.length <= 20 ? cycle : [...cycle.slice(0, 10), '…', ...cycle.slice(-10)];
  const problem = `these steps wait for each other: ${shown.map((step) => `"${step}"`).join(' after ')}`;
  return badFlow('steps', cycle, problem, { cycle });
}

/** The steps that follow each step, from the steps that precede each. */
function turned(after: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const next: number[][] = after.map(() => []);
  after.forEach((before, i) => {
    for (const each of before) next[each]!.push(i);
  });
  return next;
}

/** Removes a `from` that names steps of the flow from the params. */
function splitParams(
  { params }: StepShape,
  numbers: ReadonlyMap<string, number>,
): Pick<ParsedStep, 'params' | 'sources'> {
  if (params === undefined) return { params: null, sources: null };
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return { params: [params], sources: null };
  const { from, ...rest } = params;
  const sources = referenceOf(from, numbers);
  return sources === null ? { params: [params], sources } : { params: [rest], sources };
}

function referenceOf(from: unknown, numbers: ReadonlyMap<string, number>): ParsedStep['sources'] {
  if (typeof from === 'string') return numbers.get(from) ?? null;
  if (!Array.isArray(from) || from.length === 0) return null;
  const found = from.map((each) => numbers.get(each as string));
  return found.every((each) => each !== undefined) ? [...new Set(found)] : null;
}

/** A result is certain to exist only when its step precedes the one that uses it. */
function checkSources(
  params: readonly Pick<ParsedStep, 'sources'>[],
  {
    names,
    after,
    order,
  }: { names: readonly string[]; after: readonly (readonly number[])[]; order: readonly number[] },
): void {
  const asking = params.map(({ sources }, i) => {
    const before = new Set(after[i]);
    return sourceList(sources).filter((source) => !before.has(source));
  });
  if (asking.every(({ length }) => length === 0)) return;
  const comesBefore = isBefore(after, order);
  asking.forEach((sources, i) => {
    const late = sources.find((source) => !comesBefore(source, i));
    if (late === undefined) return;
    const problem = `step "${names[late]}" does not come before step "${names[i]}": name it in its \`after\``;
    throw badFlow(`steps.${names[i]}.params.from`, names[late], problem);
  });
}
