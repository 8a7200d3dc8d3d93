import type { Violation } from '../state/violation.js';

/** What a broken rule expected and what it found. */
export interface Finding {
  readonly expected: string;
  readonly found: string;
}

/** A condition by its name. */
export interface Rule<Context> {
  readonly name: Violation['rule'];
  /** Null when the condition holds, and when it cannot be judged because its subject is missing. */
  judge(context: Context): Finding | null;
}

/** A rule from its name and its condition. */
export function rule<Context>(name: Violation['rule'], judge: (context: Context) => Finding | null): Rule<Context> {
  return { name, judge };
}

/** Every violated rule in the order of `rules`; empty when all hold. */
export function judgeAll<Context>(rules: readonly Rule<Context>[], context: Context): readonly Violation[] {
  const violations: Violation[] = [];
  for (const { name, judge } of rules) {
    const finding = judge(context);
    if (finding !== null)
      violations.push(Object.freeze({ rule: name, expected: finding.expected, found: finding.found }));
  }
  return Object.freeze(violations);
}
