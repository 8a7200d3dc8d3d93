import {
  referenceInputExists,
  schedulerInitialized,
  schedulerOutputPresent,
  validityNotEmpty,
} from './common-rules.js';
import { type Finding, type Rule, rule } from './rule.js';
import type { TransactionContext } from './transaction-context.js';

/** A condition of Advance or Rewind. */
export type SpendRule = Rule<TransactionContext>;

const mintUnchanged: SpendRule = rule('mint-unchanged', ({ tx: { mint } }) => {
  if (mint.hubOracle === 0 && mint.scheduler === 0) return null;
  return {
    expected: 'neither hub oracle token nor scheduler NFT minted or burned',
    found: `hub oracle ${mint.hubOracle}, scheduler ${mint.scheduler}`,
  };
});

const someOperatorActive: SpendRule = rule('some-operator-active', ({ state }) =>
  state.active.length > 0 ? null : { expected: 'at least one active operator', found: 'none' },
);

const shiftMovedByDuration: SpendRule = rule('shift-moved-by-duration', ({ previous, output, parameters }) => {
  if (previous === null || output === null) return null;
  const start = previous.shiftStart + parameters.shiftDurationMs;
  if (output.shiftStart === start) return null;
  return { expected: `a shift that starts at ${start}`, found: `one that starts at ${output.shiftStart}` };
});

const activeNodeReferenced: SpendRule = rule('active-node-referenced', ({ activeNode }) =>
  activeNode !== null ? null : { expected: 'a reference input of a node of the active list', found: 'none' },
);

const activeNodeIsNewOperator: SpendRule = rule('active-node-is-new-operator', ({ activeNode, output }) => {
  if (activeNode === null || output === null || activeNode.key === output.operator) return null;
  return { expected: `the active node of the new operator, ${output.operator}`, found: `that of ${activeNode.key}` };
});

const activeNodeLinkReachesPrevious: SpendRule = rule(
  'active-node-link-reaches-previous',
  ({ activeNode, previous }) => {
    if (activeNode === null || previous === null) return null;
    const { link } = activeNode;
    // Without a link nothing stands above the node, so no operator between it and the previous one is passed over.
    if (link === null || link >= previous.operator) return null;
    return { expected: `a node whose link is ${previous.operator} or above`, found: `its link is ${link}` };
  },
);

const newOperatorBelowPrevious: SpendRule = rule('new-operator-below-previous', ({ previous, output }) => {
  if (previous === null || output === null || output.operator < previous.operator) return null;
  return { expected: `an operator below the previous one, ${previous.operator}`, found: output.operator };
});

const activeNodeIsLast: SpendRule = rule('active-node-is-last', ({ activeNode }) => {
  if (activeNode === null || activeNode.link === null) return null;
  return {
    expected: 'the last node of the active list',
    found: `${activeNode.key}, which links to ${activeNode.link}`,
  };
});

const activeRootReferenced: SpendRule = rule('active-root-referenced', ({ activeRoot }) =>
  activeRoot !== null ? null : { expected: 'a reference input of the root of the active list', found: 'none' },
);

const activeRootLinkReachesPrevious: SpendRule = rule(
  'active-root-link-reaches-previous',
  ({ activeRoot, previous }) => {
    if (activeRoot === null || previous === null) return null;
    const { link } = activeRoot;
    if (link === null || link >= previous.operator) return null;
    return {
      expected: `no active operator below the previous one, ${previous.operator}`,
      found: `${link}, whose turn comes before the new cycle`,
    };
  },
);

const registeredNodeReferenced: SpendRule = rule('registered-node-referenced', ({ registeredNode }) =>
  registeredNode !== null ? null : { expected: 'a reference input of the registered queue', found: 'none' },
);

const registeredNodeIsLast: SpendRule = rule('registered-node-is-last', ({ registeredNode, state }) => {
  if (registeredNode === null || registeredNode.isLast) return null;
  return {
    expected: `the last element of the registered queue, ${state.registered.at(-1)?.operator ?? 'its root'}`,
    found: registeredNode.key ?? 'the root',
  };
});

/** The two conditions in which editions differ. */
export interface EditionConditions {
  readonly operatorConsent: SpendRule;
  readonly noRegistrantEligible: SpendRule;
}

/** The conditions of Advance and Rewind with those of an edition. `literalAdvance` lacks the guard that keeps turns descending. */
export function spendRules({ operatorConsent, noRegistrantEligible }: EditionConditions): {
  readonly literalAdvance: readonly SpendRule[];
  readonly advance: readonly SpendRule[];
  readonly rewind: readonly SpendRule[];
} {
  const transition: readonly SpendRule[] = [
    schedulerInitialized,
    schedulerOutputPresent,
    mintUnchanged,
    validityNotEmpty,
    referenceInputExists,
    someOperatorActive,
    shiftMovedByDuration,
    operatorConsent,
    activeNodeReferenced,
    activeNodeIsNewOperator,
  ];
  const literalAdvance = [...transition, activeNodeLinkReachesPrevious];
  return {
    literalAdvance,
    advance: [...literalAdvance, newOperatorBelowPrevious],
    rewind: [
      ...transition,
      activeNodeIsLast,
      activeRootReferenced,
      activeRootLinkReachesPrevious,
      registeredNodeReferenced,
      registeredNodeIsLast,
      noRegistrantEligible,
    ],
  };
}

/** The finding of a rewind's window that does not end early enough for the registrant it shows; null when it does. */
export function eligibleFinding(
  { registeredNode, tx }: TransactionContext,
  endsInTime: (to: number, activationTime: number) => boolean,
  limit: string,
): Finding | null {
  if (registeredNode === null || registeredNode.activationTime === null) return null;
  const { to } = tx.validity;
  if (to !== null && endsInTime(to, registeredNode.activationTime)) return null;
  return {
    expected: `a window that ends ${limit} ${registeredNode.activationTime}, when ${registeredNode.key} becomes eligible`,
    found: to === null ? 'a window without an end' : `a window that ends at ${to}`,
  };
}
