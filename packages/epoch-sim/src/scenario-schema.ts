import { z } from 'zod';
import { instantMs } from './instant.js';

const instant = z
  .string({ error: 'an ISO 8601 date and time, such as 2025-07-01T08:00:00' })
  .refine((text) => instantMs(text) !== null, 'an ISO 8601 date and time, such as 2025-07-01T08:00:00');
const name = z.string({ error: 'a text' });
const minutes = z.number({ error: 'a whole number of minutes >= 0' }).int().min(0);
const amount = z.number({ error: 'a number >= 0' }).min(0);

const visibility = {
  scope: name.optional(),
  visibility_to: z.union([name, z.array(name)], { error: 'a name or a list of names' }).optional(),
  allies_only: z.boolean({ error: 'true or false' }).optional(),
};

const actionDef = z.strictObject({
  verb: name.optional(),
  base_duration_min: z.number({ error: 'a whole number of minutes >= 1' }).int('a whole number of minutes >= 1').min(1),
  effort: z.enum(['low', 'medium', 'high'], { error: 'one of low, medium, high' }).optional(),
  interruptible: z.boolean({ error: 'true or false' }).optional(),
  locks: z.array(name, { error: 'a list of lock names' }).optional(),
  may_trigger_event: z.boolean({ error: 'true or false' }).optional(),
  resources: z
    .array(
      z.strictObject({
        name,
        amount,
        mode: z.enum(['consume', 'return'], { error: 'one of consume, return' }).optional(),
      }),
      { error: 'a list of { name, amount }' },
    )
    .optional(),
  skill: name.optional(),
  priority: z.number({ error: 'a number' }).optional(),
  preempts: z.boolean({ error: 'true or false' }).optional(),
  on_conflict: z.enum(['queue', 'fail'], { error: 'one of queue, fail' }).optional(),
  ...visibility,
});

const actionInstance = z.looseObject({
  id: name,
  actor: name,
  verb: name,
  params: z.unknown().optional(),
  submitted_at: instant,
  priority: z.number({ error: 'a number' }).optional(),
  ...visibility,
});

const interrupt = z.strictObject({
  at: instant,
  target: name,
  priority: z.number({ error: 'a number' }).optional(),
  resume: z.enum(['auto', 'never'], { error: 'one of auto, never' }).optional(),
  resume_after_min: minutes.optional(),
  reason: name.optional(),
});

const minuteOfDay = z.number({ error: 'a minute of the day, 0 to 1440' }).int().min(0).max(1440);

const modifier = z.strictObject({
  factor: z.number({ error: 'a number > 0' }).positive('a number > 0'),
  verb: name.optional(),
  from: minuteOfDay.optional(),
  to: minuteOfDay.optional(),
});

const options = z.strictObject({
  lock_policy: z.enum(['queue', 'fail'], { error: 'one of queue, fail' }).optional(),
  actor_exclusive: z.boolean({ error: 'true or false' }).optional(),
  slots: z.number({ error: 'a whole number >= 1' }).int().min(1).optional(),
  noise: z
    .strictObject({ seed: z.union([z.number(), name], { error: 'a number or a text' }), percent: amount.max(100) })
    .optional(),
});

/** What a scenario file may say. Unknown fields are faults, because they are mostly misspelt ones. */
export const scenarioSchema = z.strictObject({
  title: name.optional(),
  about: name.optional(),
  epoch: z.strictObject({
    index: z.number({ error: 'a whole number >= 0' }).int().min(0),
    start_at: instant,
    end_at: instant,
  }),
  /** How many epochs of that length to simulate. */
  epochs: z.number({ error: 'a whole number >= 1' }).int().min(1).max(10_000).optional(),
  action_defs: z.record(name, actionDef, { error: 'a map from verbs to definitions' }),
  actions_submitted: z.array(actionInstance, { error: 'a list of actions' }),
  skills: z.record(name, z.record(name, z.number({ error: 'a level from 0 to 3' }))).optional(),
  resources: z
    .record(
      name,
      z.union([amount, z.strictObject({ stock: amount, reserved: amount.optional() })], {
        error: 'a number >= 0 or { stock }',
      }),
    )
    .optional(),
  modifiers: z.array(modifier, { error: 'a list of modifiers' }).optional(),
  interrupts: z.array(interrupt, { error: 'a list of interrupts' }).optional(),
  pc: name.optional(),
  allies: z.array(name, { error: 'a list of names' }).optional(),
  carry_over: z.unknown().optional(),
  options: options.optional(),
});
