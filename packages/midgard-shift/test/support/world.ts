import type {
  MidgardState,
  ProtocolParameters,
  RegisteredNode,
  Transaction,
  Validity,
  Verdict,
} from '../../src/index.js';

/** The key hash of operator `n`: keys are ordered as their numbers. */
export const key = (n: number): string => n.toString(16).padStart(56, '0');

export const DURATION = 1_000;
export const parameters: ProtocolParameters = {
  shiftDurationMs: DURATION,
  registrationDurationMs: 5_000,
  requiredBond: 100n,
};

/** A running world: `operator` is assigned to the shift that starts at `shiftStart`. */
export function world(options: {
  active: readonly number[];
  operator?: number | null;
  shiftStart?: number;
  registered?: readonly RegisteredNode[];
  retired?: readonly number[];
}): MidgardState {
  const { active, operator = active.at(-1) ?? null, shiftStart = 0 } = options;
  return {
    scheduler: operator === null ? null : { operator: key(operator), shiftStart },
    hubOracle: operator !== null,
    active: active.map(key),
    registered: options.registered ?? [],
    retired: (options.retired ?? []).map(key),
  };
}

export const within = (from: number | null, to: number | null): Validity => ({ from, to });

/** The Advance of `operator` into the shift `[1000, 2000)`, signed, valid in all of it. */
export function advanceTo(operator: number, changes: Partial<Transaction> = {}): Transaction {
  return {
    redeemer: 'advance',
    mint: { hubOracle: 0, scheduler: 0 },
    signatories: [key(operator)],
    validity: within(DURATION, 2 * DURATION),
    schedulerOutput: { operator: key(operator), shiftStart: DURATION },
    referenceInputs: [{ list: 'active', key: key(operator) }],
    ...changes,
  };
}

/** The Rewind to `operator` into the shift `[1000, 2000)`, signed, showing `registrant` as the last of the queue. */
export function rewindTo(
  operator: number,
  registrant: number | null = null,
  changes: Partial<Transaction> = {},
): Transaction {
  return advanceTo(operator, {
    redeemer: 'rewind',
    referenceInputs: [
      { list: 'active', key: key(operator) },
      { list: 'active', key: null },
      { list: 'registered', key: registrant === null ? null : key(registrant) },
    ],
    ...changes,
  });
}

/** The names of the violated rules; empty when accepted. */
export function rulesOf(verdict: Verdict): string[] {
  return verdict.accepted ? [] : verdict.violations.map(({ rule }) => rule);
}
