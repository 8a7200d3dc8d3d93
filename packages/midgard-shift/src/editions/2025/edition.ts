import type { EditionRules } from '../edition-rules.js';
import { lifecycle, rules, terms } from './rules.js';

/** The specification before February 2026: the new operator signs inside its shift; after the shift any submitter may assign it. */
export const edition2025: EditionRules = {
  edition: '2025',
  rules,
  lifecycle,
  redeemerFields: {
    advance: ['outputIndex', 'activeNodeIndex'],
    rewind: ['outputIndex', 'activeNodeIndex', 'activeRootIndex', 'registeredNodeIndex'],
  },
  keeperSigner: (operator) => operator,
  activationTimeOf: terms.activationTimeOf,
  leastDistanceMs: terms.leastDistanceMs,
  latestRewindEnd: (activationTime) => activationTime - 1,
  ownShiftFrom: (start) => start,
  unsignedFrom: (start, { shiftDurationMs }) => start + shiftDurationMs,
  signedWindow({ next, start, now, parameters }, who) {
    const end = start + parameters.shiftDurationMs;
    // Its own operator can sign as long as a moment of the shift is left.
    if (who !== next || now >= end) return null;
    const from = Math.max(now, start);
    return { signer: next, from, to: end, leastTo: from + 1 };
  },
};
