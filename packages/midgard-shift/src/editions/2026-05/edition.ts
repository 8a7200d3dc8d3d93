import type { EditionRules } from '../edition-rules.js';
import { lifecycle, MAX_SIGNED_MS, rules, terms } from './rules.js';

/**
 * Upstream's `main` as of May 2026: the previous operator may hand its shift over shortly before it ends; after the new shift has started
 * any submitter may assign it.
 */
export const edition202605: EditionRules = {
  edition: '2026-05',
  rules,
  lifecycle,
  redeemerFields: {
    advance: ['inputIndex', 'outputIndex', 'activeNodeIndex'],
    rewind: ['inputIndex', 'outputIndex', 'activeNodeIndex', 'activeRootIndex', 'registeredNodeIndex'],
  },
  keeperSigner: () => null,
  activationTimeOf: terms.activationTimeOf,
  leastDistanceMs: terms.leastDistanceMs,
  latestRewindEnd: (activationTime) => activationTime,
  ownShiftFrom: (start) => start + 1,
  unsignedFrom: (start) => start + 1,
  signedWindow({ previous, start, now }, who) {
    if (who !== previous.operator || now > start) return null;
    // The last moment of the window has to lie after the start, and the window must not be too long for it.
    const from = Math.max(now, start + 1 - MAX_SIGNED_MS);
    return { signer: previous.operator, from, to: from + MAX_SIGNED_MS + 1, leastTo: start + 2 };
  },
};
