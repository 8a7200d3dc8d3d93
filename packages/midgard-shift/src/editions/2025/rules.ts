import { lifecycleRules, type RegistrationTerms } from '../../rules/lifecycle-rules.js';
import { rule } from '../../rules/rule.js';
import { ruleSets } from '../../rules/rule-set.js';
import { eligibleFinding, type SpendRule } from '../../rules/spend-rules.js';
import { windowText } from '../../state/transaction.js';

const operatorConsent: SpendRule = rule('operator-consent', ({ tx, output, parameters }) => {
  if (output === null) return null;
  const { from, to } = tx.validity;
  const start = output.shiftStart;
  // Exclusive, like the window's upper bound: a window may end where the shift ends, or begin there.
  const end = start + parameters.shiftDurationMs;
  const isAfterShift = from !== null && from >= end;
  const isWithinShift = from !== null && to !== null && from >= start && to <= end;
  const isSigned = tx.signatories.includes(output.operator);
  if (isAfterShift || (isSigned && isWithinShift)) return null;
  return {
    expected: `signed by ${output.operator} and valid within [${start}, ${end}), or valid only from ${end} on`,
    found: `${isSigned ? 'signed by it' : 'not signed by it'}, valid in ${windowText(tx.validity)}`,
  };
});

const noRegistrantEligible: SpendRule = rule('no-registrant-eligible', (context) =>
  eligibleFinding(context, (to, activationTime) => to < activationTime, 'before'),
);

export const rules = ruleSets({ operatorConsent, noRegistrantEligible });

/** The exact bond, and an activation time that counts from the exclusive end of the window. */
export const terms: RegistrationTerms = {
  bond: rule('bond-is-required-bond', ({ request, parameters }) =>
    request.bond === parameters.requiredBond
      ? null
      : { expected: `a bond of ${parameters.requiredBond}`, found: String(request.bond ?? 'none') },
  ),
  activationTimeOf: (to, { registrationDurationMs }) => to + registrationDurationMs,
  leastDistanceMs: 0,
};

export const lifecycle = lifecycleRules(terms);
