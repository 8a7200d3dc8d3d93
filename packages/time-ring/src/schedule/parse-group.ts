import { z } from 'zod';
import { alertRulesShape } from './alert-rules.js';
import { rateShape } from './parse-job.js';

const MAX_ADDRESSES = 1_000;

/** The schema of a group as callers put it. */
export const groupShape = z.strictObject({
  name: z.string().min(1).max(255),
  title: z.string().max(255).default(''),
  addresses: z
    .array(
      z
        .string()
        .max(255)
        .regex(/^https?:\/\/\S+$/i, 'must be URLs such as http://10.0.0.7:9999'),
    )
    .max(MAX_ADDRESSES)
    .default([]),
  maxRunning: z.number().int().min(1).nullable().default(null),
  rate: rateShape.nullable().default(null),
  alerts: alertRulesShape.default([]),
});
