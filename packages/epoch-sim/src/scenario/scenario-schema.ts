import { z } from 'zod';
import { durationFault } from '../engine/action-kind.js';
import { isCronText } from '../engine/arrival-sources.js';
import { type Distribution, type DistributionFault, distributionFault } from '../interchange/distribution.js';
import type { Outage } from '../interchange/happenings.js';
import { instantMs, minuteFrom } from '../interchange/instant.js';

/** A number that passes a test; the schema library's own messages are never shown. */
const number = (words: string, passes: (value: number) => boolean = () => true) =>
  z.custom<number>((value) => typeof value === 'number' && Number.isFinite(value) && passes(value), words);
const whole = (words: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  number(words, (value) => Number.isInteger(value) && value >= least && value <= most);
const oneOf = <const Word extends string>(...words: Word[]) => z.enum(words, { error: `one of ${words.join(', ')}` });

const INSTANT = 'an ISO 8601 date and time, such as 2025-07-01T08:00:00';
const isoInstant = z.custom<string>((value) => instantMs(value) !== null, INSTANT);
const instant = z.custom<string | number>(
  (value) => minuteFrom(0, value) !== null,
  `${INSTANT}, or whole minutes from the start`,
);
const name = z.string({ error: 'a text' });
const flag = z.boolean({ error: 'true or false' });
const names = z.array(name, { error: 'a list of names' });
const minutes = whole('a whole number of minutes >= 0', 0);
const amount = number('a number >= 0', (value) => value >= 0);
const priority = number('a number');

const patience = whole('a whole number of minutes >= 1', 1);
/** A value that has at most one fault, which is named with the field that it is in. */
const judged = <Value>(faultOf: (value: unknown) => DistributionFault | null) =>
  z.custom<Value>().superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault === null) return;
    context.addIssue({
      code: 'custom',
      path: fault.field === undefined ? [] : [fault.field],
      message: fault.expected,
    });
  });
const distribution = judged<Distribution>(distributionFault);
const duration = judged<number | Distribution>(durationFault);
const locks = z.array(
  z.union([name, z.strictObject({ name, units: whole('a whole number >= 1', 1).optional() })], {
    error: 'a lock name or { name, units }',
  }),
  { error: 'a list of lock names' },
);

const visibility = {
  scope: name.optional(),
  visibility_to: z.union([name, names], { error: 'a name or a list of names' }).optional(),
  allies_only: flag.optional(),
};

const actionDef = z.strictObject({
  verb: name.optional(),
  base_duration_min: duration,
  effort: oneOf('low', 'medium', 'high').optional(),
  interruptible: flag.optional(),
  locks: locks.optional(),
  may_trigger_event: flag.optional(),
  resources: z
    .array(z.strictObject({ name, amount, mode: oneOf('consume', 'return', 'produce').optional() }), {
      error: 'a list of { name, amount }',
    })
    .optional(),
  skill: name.optional(),
  priority: priority.optional(),
  preempts: flag.optional(),
  on_conflict: oneOf('queue', 'fail').optional(),
  on_shortage: oneOf('wait', 'reject').optional(),
  patience_min: patience.optional(),
  ...visibility,
});

const actionInstance = z.looseObject({
  id: name,
  actor: name,
  verb: name,
  params: z.unknown().optional(),
  submitted_at: instant,
  priority: priority.optional(),
  duration_min: duration.optional(),
  patience_min: patience.optional(),
  after: z.array(name, { error: 'a list of ids' }).optional(),
  ...visibility,
});

const cancellation = z.strictObject({ at: instant, target: name, reason: name.optional() });

const GAPS = 'a distribution, such as { kind: exponential, mean: 5 }, or a cron expression, such as "*/5 * * * *"';
const arrival = z.strictObject({
  verb: name,
  actor: name.optional(),
  every: judged<Distribution | string>((value) => {
    if (typeof value === 'object' && value !== null) return distributionFault(value);
    return typeof value === 'string' && isCronText(value) ? null : { field: undefined, value, expected: GAPS };
  }),
  from: instant.optional(),
  to: instant.optional(),
  count: whole('a whole number >= 0', 0).optional(),
  id: z.custom<string>((value) => typeof value === 'string' && value.includes('{n}'), 'a text that holds {n}'),
  params: z.unknown().optional(),
  priority: priority.optional(),
  patience_min: patience.optional(),
});

const repairAction = z.strictObject({ verb: name, actor: name.optional(), locks: locks.optional() });

const outage = z.strictObject({
  lock: name,
  at: instant.optional(),
  every: distribution.optional(),
  repair: judged<Outage['repair']>((value) => {
    if (!Object.hasOwn(Object(value), 'verb')) return durationFault(value);
    const isAction = repairAction.safeParse(value).success;
    return isAction ? null : { field: undefined, value, expected: '{ verb, actor, locks }' };
  }),
  policy: oneOf('interrupt', 'finish').optional(),
});

const lockDef = z.strictObject({
  capacity: whole('a whole number >= 1', 1).optional(),
  order: oneOf('fifo', 'priority').optional(),
});

const interrupt = z.strictObject({
  at: instant,
  target: name,
  priority: priority.optional(),
  resume: oneOf('auto', 'never').optional(),
  resume_after_min: minutes.optional(),
  reason: name.optional(),
});

const minuteOfDay = whole('a minute of the day, 0 to 1440', 0, 1440);

const modifier = z.strictObject({
  factor: number('a number > 0', (value) => value > 0),
  verb: name.optional(),
  from: minuteOfDay.optional(),
  to: minuteOfDay.optional(),
});

const seed = z.union([number('a number'), name], { error: 'a number or a text' });

const options = z.strictObject({
  lock_policy: oneOf('queue', 'fail').optional(),
  actor_exclusive: flag.optional(),
  seed: seed.optional(),
  slots: whole('a whole number >= 1', 1).optional(),
  noise: z
    .strictObject({ seed, percent: number('a number from 0 to 100', (value) => value >= 0 && value <= 100) })
    .optional(),
});

/** The schema of a scenario file. Unknown fields are faults, because they are mostly misspelt ones. */
export const scenarioSchema = z.strictObject({
  title: name.optional(),
  about: name.optional(),
  epoch: z.strictObject({ index: whole('a whole number >= 0', 0), start_at: isoInstant, end_at: instant }),
  /** How many epochs of that length to simulate. */
  epochs: whole('a whole number from 1 to 10000', 1, 10_000).optional(),
  action_defs: z.record(name, actionDef, { error: 'a map from verbs to definitions' }),
  actions_submitted: z.array(actionInstance, { error: 'a list of actions' }),
  skills: z.record(name, z.record(name, number('a level from 0 to 3'))).optional(),
  resources: z
    .record(
      name,
      z.union([amount, z.strictObject({ stock: amount, reserved: amount.optional(), max: amount.optional() })], {
        error: 'a number >= 0 or { stock }',
      }),
    )
    .optional(),
  modifiers: z.array(modifier, { error: 'a list of modifiers' }).optional(),
  interrupts: z.array(interrupt, { error: 'a list of interrupts' }).optional(),
  lock_defs: z.record(name, lockDef, { error: 'a map from lock names to definitions' }).optional(),
  cancellations: z.array(cancellation, { error: 'a list of cancellations' }).optional(),
  arrivals: z.array(arrival, { error: 'a list of arrivals' }).optional(),
  outages: z.array(outage, { error: 'a list of outages' }).optional(),
  pc: name.optional(),
  allies: names.optional(),
  carry_over: z.unknown().optional(),
  options: options.optional(),
});

/** Messages for parts of the schema without messages of their own. */
export function schemaWords(issue: { readonly code: string; readonly expected?: unknown }): string {
  if (issue.code === 'invalid_type') return issue.expected === 'array' ? 'a list' : 'a map';
  return 'another value';
}

/** The parts of a scenario whose entries have fields of their own. */
export type ScenarioList = keyof typeof SCENARIO_FIELDS;

/** The fields that entries of these parts may have. */
export const SCENARIO_FIELDS = {
  action_defs: Object.keys(actionDef.shape),
  actions_submitted: Object.keys(actionInstance.shape),
  arrivals: Object.keys(arrival.shape),
  cancellations: Object.keys(cancellation.shape),
  interrupts: Object.keys(interrupt.shape),
  modifiers: Object.keys(modifier.shape),
  options: Object.keys(options.shape),
  outages: Object.keys(outage.shape),
} as const satisfies Record<string, readonly string[]>;
