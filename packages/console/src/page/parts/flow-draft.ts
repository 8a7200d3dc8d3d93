import type { FlowInput, FlowStepInput } from '@horae/time-ring';

/** The fields of a step as typed. */
export interface StepDraft {
  readonly name: string;
  /** A key, or an id in digits. */
  readonly job: string;
  /** Names of steps, one per line. */
  readonly after: string;
  readonly when: NonNullable<FlowStepInput['when']>;
  /** JSON; empty: the job's own. */
  readonly params: string;
}

export interface FlowDraft {
  readonly name: string;
  readonly steps: readonly StepDraft[];
}

/** Something that is wrong, and where: `steps.fetch.after`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The faults of a draft that are found before the server checks it. */
export type DraftFault = 'no-name' | 'name-taken' | 'bad-json';

export const emptyStep: StepDraft = { name: '', job: '', after: '', when: 'succeeded', params: '' };
export const emptyFlow: FlowDraft = { name: '', steps: [emptyStep] };

type StepField = keyof StepDraft;

/** Where the form and the server look for a field of a step. A step without a name is named by its place. */
export function stepPath(steps: readonly StepDraft[], index: number, field: StepField): string {
  const { name } = steps[index]!;
  const isPlain = name !== '' && steps.findIndex((step) => step.name === name) === index;
  return `steps.${isPlain ? name : `#${index + 1}`}.${field}`;
}

/** The faults that the form can see by itself, by field. */
export function draftFaults({ name, steps }: FlowDraft): readonly { path: string; fault: DraftFault }[] {
  const ofSteps = steps.flatMap((step, index) => {
    const at = (field: StepField) => stepPath(steps, index, field);
    const isTaken = steps.findIndex((other) => other.name === step.name) !== index;
    return [
      ...(step.name === '' ? [{ path: at('name'), fault: 'no-name' } as const] : []),
      ...(step.name !== '' && isTaken ? [{ path: at('name'), fault: 'name-taken' } as const] : []),
      ...(isJson(step.params) ? [] : [{ path: at('params'), fault: 'bad-json' } as const]),
    ];
  });
  return [...(name === '' ? [{ path: 'name', fault: 'no-name' } as const] : []), ...ofSteps];
}

/** The flow that a draft without faults means. */
export function flowOf({ name, steps }: FlowDraft): FlowInput {
  return { name, steps: Object.fromEntries(steps.map((step) => [step.name, stepOf(step)])) };
}

/** The form of a flow that was written as JSON; null for anything that is not a flow. */
export function draftOfFlow(value: unknown): FlowDraft | null {
  const { name, steps } = (value ?? {}) as { name?: unknown; steps?: unknown };
  if (typeof name !== 'string' || typeof steps !== 'object' || steps === null || Array.isArray(steps)) return null;
  const drafts = Object.entries(steps).map(([own, given]) => draftOfStep(own, given));
  return { name, steps: drafts.length === 0 ? [emptyStep] : drafts };
}

/** The issues of a field and of everything inside it. */
export function messageAt(issues: readonly Issue[], path: string): string | null {
  return issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))?.message ?? null;
}

function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function stepOf({ job, after, when, params }: StepDraft): FlowStepInput {
  const names = after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const ref = job.trim();
  return {
    job: /^\d{1,15}$/.test(ref) ? Number(ref) : ref,
    ...(names.length === 0 ? {} : { after: names }),
    ...(when === 'succeeded' ? {} : { when }),
    ...(params.trim() === '' ? {} : { params: JSON.parse(params) as unknown }),
  };
}

function draftOfStep(name: string, given: unknown): StepDraft {
  const { job, after, when, params } = (given ?? {}) as Partial<FlowStepInput>;
  return {
    ...{ name, job: job === undefined ? '' : String(job), when: when ?? 'succeeded' },
    after: Array.isArray(after) ? after.join('\n') : '',
    params: params === undefined ? '' : JSON.stringify(params, null, 2),
  };
}
