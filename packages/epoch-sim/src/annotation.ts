import { z } from 'zod';
import { skillLevel } from './interchange/effective-duration.js';
import type { ActionInstance, EpochInput } from './interchange/interchange.js';
import { ownValue, putOwn } from './interchange/own-property.js';
import { InvalidAnnotation, InvalidSkill, quote } from './interchange/sim-errors.js';

/** The weights of one skill over the traits of a behaviour vector; both are lists, or both are maps by trait. */
export type SkillWeights =
  | readonly number[]
  | { readonly weights: readonly number[] | Readonly<Record<string, number>>; readonly bias?: number }
  | Readonly<Record<string, number>>;

/** A behaviour vector: values in order, or by trait. */
export type TraitVector = readonly number[] | Readonly<Record<string, number>>;

/**
 * Skill levels from a behaviour vector: for each skill the weighted sum of the traits plus its bias, rounded half up and kept
 * within 0 to 3. A trait that the vector lacks counts 0. Throws `InvalidSkill` where a weight or a trait is not a number.
 */
export function deriveSkillLevels(
  mapping: Readonly<Record<string, SkillWeights>>,
  vector: TraitVector,
): Record<string, 0 | 1 | 2 | 3> {
  const levels: Record<string, 0 | 1 | 2 | 3> = {};
  for (const skill of Object.keys(mapping)) {
    const given = mapping[skill] as SkillWeights;
    const nested = ownValue(given, 'weights');
    const weights = (typeof nested === 'object' && nested !== null ? nested : given) as object;
    let sum = nested === weights ? numberAt(skill, 'bias', ownValue(given, 'bias') ?? 0) : 0;
    for (const trait of Object.keys(weights)) {
      const value = ownValue(vector, trait) ?? 0;
      sum += numberAt(skill, trait, ownValue(weights, trait)) * numberAt(skill, trait, value);
    }
    // Sums of decimal products end in binary dust: 3 * 0.5 must not become 1.4999999999999998.
    const level = skillLevel(Number(sum.toPrecision(12)));
    putOwn(levels, skill, level!);
  }
  return levels;
}

function numberAt(skill: string, trait: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InvalidSkill(`InvalidSkill: ${quote(trait)} of skill ${quote(skill)} is ${quote(value)}; give a number`, {
    field: `${skill}.${trait}`,
    value,
  });
}

const text = z.string({ error: 'a text' });
const visibility = {
  scope: text.optional(),
  visibility_to: z.union([text, z.array(text)], { error: 'a name or a list of names' }).optional(),
  allies_only: z.boolean({ error: 'true or false' }).optional(),
};
const recordSchema = z.looseObject({
  actor: text.optional(),
  submitted_at: text.optional(),
  knowledge: z.looseObject(visibility).optional(),
  actions: z.array(
    z.looseObject({
      id: text,
      verb: text,
      actor: text.optional(),
      params: z.unknown().optional(),
      submitted_at: text.optional(),
      ...visibility,
    }),
    { error: 'a list of actions' },
  ),
  skills: z.record(text, z.record(text, z.number({ error: 'a number' }))).optional(),
});

/** One annotated turn: its visibility, and its actions. Fields that an action leaves out come from the record. */
export type AnnotationRecord = z.input<typeof recordSchema>;

/**
 * The actions and skills of an annotation record, to be spread into an `EpochInput`. Actor, time and visibility (`knowledge`) of the record
 * apply to every action without its own. Throws `InvalidAnnotation`, which names the path of the field.
 */
export function fromAnnotation(record: AnnotationRecord): Pick<EpochInput, 'actions_submitted' | 'skills'> {
  const parsed = recordSchema.safeParse(record);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw bad(issue!.path.join('.'), issue!.message);
  }
  const { actions, knowledge = {}, skills, actor: commonActor, submitted_at: commonTime } = parsed.data;
  const { scope, visibility_to, allies_only } = knowledge;
  const common = Object.fromEntries(
    Object.entries({ scope, visibility_to, allies_only }).filter(([, value]) => value !== undefined),
  );
  const actions_submitted = actions.map((action, i): ActionInstance => {
    const actor = action.actor ?? commonActor;
    const submitted_at = action.submitted_at ?? commonTime;
    if (actor === undefined) throw bad(`actions.${i}.actor`, 'a text, here or in the record');
    if (submitted_at === undefined) throw bad(`actions.${i}.submitted_at`, 'a time, here or in the record');
    return { ...common, ...action, params: action.params ?? {}, actor, submitted_at };
  });
  return skills === undefined ? { actions_submitted } : { actions_submitted, skills };
}

function bad(path: string, expected: string): InvalidAnnotation {
  return new InvalidAnnotation(`InvalidAnnotation: ${path === '' ? 'the record' : path}: expected ${expected}`, {
    path,
    expected,
  });
}
