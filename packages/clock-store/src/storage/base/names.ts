/** Names that become part of statements, where nothing else protects against what they might contain. */
const patterns = {
  schema: /^(?!pg_)[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  // Lower case: PostgreSQL folds names without quotes and keeps those in quotes. Short: names of tables end at 63 characters.
  tablePrefix: /^(?:[a-z][a-z0-9_]{0,29})?$/,
} as const;

/** The rule of such a name, for messages. */
export const NAME_RULES = {
  schema: 'a name of at most 63 letters, digits and _ that does not begin with a digit or pg_',
  tablePrefix: 'at most 30 lower-case letters, digits and _, the first one a letter',
} as const;

/** Whether `value` can be used as such a name. */
export function isName(kind: keyof typeof patterns, value: unknown): value is string {
  return typeof value === 'string' && patterns[kind].test(value);
}
