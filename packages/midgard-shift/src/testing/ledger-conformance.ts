import type { Ledger } from '../ledger/ledger.js';
import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import { retire } from '../verdict/lifecycle.js';
import { casesOn, chainCases, rulesOf } from './chain-view-conformance.js';
import {
  beginning,
  type ConformanceCase,
  type LedgerCase,
  LOW,
  NOW,
  type OpenChain,
  parameters,
  same,
  takeOver,
} from './conformance-world.js';

/** The requirements on every ledger: those on a chain view, changes of the lists, and rollbacks. */
export function ledgerConformance(open: OpenChain<Ledger>): readonly ConformanceCase[] {
  return casesOn(open, [...chainCases, ...ledgerCases]);
}

async function retireLow(ledger: Ledger): Promise<void> {
  await ledger.change((state) => {
    const request = { operator: LOW, signatories: [LOW], validity: { from: NOW, to: NOW + 1 } };
    const verdict = retire(state, request, parameters);
    return verdict.accepted ? verdict.state : state;
  });
}

async function refuses(story: string, work: () => Promise<void>): Promise<void> {
  const hasThrown = await work().then(
    () => false,
    () => true,
  );
  same(story, hasThrown, true);
}

const NEWCOMER = '7'.repeat(56);

/** An operator is registered and due in a moment. */
async function withNewcomer(ledger: Ledger): Promise<void> {
  await ledger.change((state) => ({ ...state, registered: [{ operator: NEWCOMER, activationTime: NOW }] }));
}

const activation = (validity: LifecycleRequest['validity']): LifecycleRequest => ({
  operator: NEWCOMER,
  signatories: [],
  validity,
});

const ledgerCases: readonly LedgerCase[] = [
  {
    name: 'an activation is in the state, and a rollback undoes it',
    async check(ledger) {
      await withNewcomer(ledger);
      same('verdict', await ledger.activate(activation({ from: NOW, to: NOW + 1 })), { accepted: true });
      const { active, registered } = await ledger.state();
      same('lists', [active.includes(NEWCOMER), registered], [true, []]);
      await ledger.rollback(1);
      same('active', (await ledger.state()).active, beginning.active);
    },
  },
  {
    name: 'an activation that breaks a rule, or comes outside its window, names it and changes nothing',
    async check(ledger) {
      await withNewcomer(ledger);
      same('early', rulesOf(await ledger.activate(activation({ from: NOW - 1, to: NOW + 1 }))), [
        'activation-time-reached',
      ]);
      same('late', rulesOf(await ledger.activate(activation({ from: NOW + 1, to: null }))), ['validity-contains-now']);
      same('active', (await ledger.state()).active, beginning.active);
    },
  },
  {
    name: 'a change of the lists is in the state',
    async check(ledger) {
      await retireLow(ledger);
      same('retired', (await ledger.state()).retired, [LOW]);
      same('active', (await ledger.state()).active, beginning.active.slice(1));
    },
  },
  {
    name: 'a rollback undoes the steps one by one',
    async check(ledger) {
      await ledger.submit(takeOver);
      await retireLow(ledger);
      await ledger.rollback(1);
      same('after one', await ledger.state(), { ...beginning, scheduler: takeOver.schedulerOutput });
      await ledger.rollback(1);
      same('after two', await ledger.state(), beginning);
    },
  },
  {
    name: 'after a rollback the chain goes another way',
    async check(ledger) {
      await retireLow(ledger);
      await ledger.rollback(1);
      await ledger.submit(takeOver);
      await retireLow(ledger);
      same('active', (await ledger.state()).active, beginning.active.slice(1));
      same('datum', (await ledger.state()).scheduler, takeOver.schedulerOutput);
    },
  },
  {
    name: 'a rollback of nothing changes nothing',
    async check(ledger) {
      await ledger.submit(takeOver);
      await ledger.rollback(0);
      same('datum', (await ledger.state()).scheduler, takeOver.schedulerOutput);
    },
  },
  {
    name: 'what cannot be undone is refused and changes nothing',
    async check(ledger) {
      await ledger.submit(takeOver);
      await refuses('two of one step', () => ledger.rollback(2));
      await refuses('half a step', () => ledger.rollback(0.5));
      same('datum', (await ledger.state()).scheduler, takeOver.schedulerOutput);
    },
  },
  {
    name: 'a change that throws changes nothing',
    async check(ledger) {
      await refuses('the change', () =>
        ledger.change(() => {
          throw new Error('not this time');
        }),
      );
      same('state()', await ledger.state(), beginning);
    },
  },
  {
    name: 'a change that leaves everything makes no step',
    async check(ledger) {
      await ledger.change((state) => state);
      await refuses('a rollback of no step', () => ledger.rollback(1));
    },
  },
];
