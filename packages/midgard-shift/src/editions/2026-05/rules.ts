import { lifecycleRules, type RegistrationTerms } from '../../rules/lifecycle-rules.js';
import { rule } from '../../rules/rule.js';
import { type RuleSets, ruleSets } from '../../rules/rule-set.js';
import { eligibleFinding, type SpendRule } from '../../rules/spend-rules.js';
import { windowText } from '../../state/transaction.js';

/** The longest window of a transition that needs a signature, from its first to its last moment. */
export const MAX_SIGNED_MS = 300_000;

function operatorConsent(longestSignedMs: number): SpendRule {
  return rule('operator-consent', ({ tx, previous, output }) => {
    if (previous === null || output === null) return null;
    const { from, to } = tx.validity;
    const start = output.shiftStart;
    if (from !== null && from > start) return null;
    const isSigned = tx.signatories.includes(previous.operator);
    // The scripts see the last moment of the window, which is one before its exclusive end.
    const isShort = from !== null && to !== null && to - 1 - from <= longestSignedMs;
    if (isSigned && isShort && start < to - 1) return null;
    return {
      expected: `signed by the previous operator, ${previous.operator}, and valid for at most ${longestSignedMs} ms with a last moment after ${start}, or valid only after ${start}`,
      found: `${isSigned ? 'signed by it' : 'not signed by it'}, valid in ${windowText(tx.validity)}`,
    };
  });
}

const noRegistrantEligible: SpendRule = rule('no-registrant-eligible', (context) =>
  eligibleFinding(context, (to, activationTime) => to <= activationTime, 'at or before'),
);

/** The rules with another limit for signed windows: the model checker proves them in worlds where a shift lasts milliseconds. */
export function rulesWith(longestSignedMs: number): RuleSets {
  return ruleSets({ operatorConsent: operatorConsent(longestSignedMs), noRegistrantEligible });
}

export const rules = rulesWith(MAX_SIGNED_MS);

/**
 * A bond that may be larger, and an activation time that counts from the last moment of the window and differs from those of all other
 * registrants.
 */
export const terms: RegistrationTerms = {
  bond: rule('bond-at-least-required-bond', ({ request, parameters }) =>
    request.bond !== undefined && request.bond >= parameters.requiredBond
      ? null
      : { expected: `a bond of ${parameters.requiredBond} or more`, found: String(request.bond ?? 'none') },
  ),
  activationTimeOf: (to, { registrationDurationMs }) => to - 1 + registrationDurationMs,
  leastDistanceMs: 1,
};

export const lifecycle = lifecycleRules(terms);
