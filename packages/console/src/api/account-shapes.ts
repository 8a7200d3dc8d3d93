import { z } from 'zod';
import { roles } from '../wire/accounts.js';

/** Names are the same whatever their case, so that no user can pass for another. */
export const nameShape = z
  .string()
  .transform((name) => name.trim().normalize('NFC').toLowerCase())
  .pipe(
    z
      .string()
      .min(1, 'must not be empty')
      .max(100)
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u, 'must be letters, digits and . _ @ + -'),
  );

const LEAST_PASSWORD = 10;
export const passwordShape = z
  .string()
  .min(LEAST_PASSWORD, `must have at least ${LEAST_PASSWORD} characters`)
  .max(1_000);

const role = z.enum(roles);
const groups = z.array(z.string().min(1).max(255)).max(1_000).nullable();

export const newUserShape = z.strictObject({
  name: nameShape,
  password: passwordShape,
  role,
  groups: groups.default(null),
});

export const userChangeShape = z
  .strictObject({ password: passwordShape, role, groups, isDisabled: z.boolean() })
  .partial();

export const newTokenShape = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must have no control characters'),
  role,
  groups: groups.default(null),
});
