import { checkState, frozenState, type MidgardState } from '../state/midgard-state.js';
import { checkParameters } from '../state/protocol-parameters.js';
import type { Ledger, LedgerOptions } from './ledger.js';
import { checkRollback, DEEPEST_ROLLBACK, judgeActivation, judgeChange, judgeSubmission } from './ledger-step.js';

/**
 * A chain view that behaves like the chain: it accepts what `validateTransaction` accepts while the current time lies in the window
 * (`validity-contains-now`), one after the other, and can roll back. Several ledgers on one database are one chain.
 */
export async function createLedger(options: LedgerOptions): Promise<Ledger> {
  checkParameters(options.parameters);
  checkState(options.state);
  if (options.database === undefined) return memoryLedger(options);
  // Only a ledger with a database needs kysely.
  const { openSqlLedger } = await import('./sql-ledger.js');
  return openSqlLedger(options.database, options);
}

function memoryLedger({ state, parameters, clock }: LedgerOptions): Ledger {
  const states: MidgardState[] = [frozenState(state)];
  const tip = () => states.at(-1) as MidgardState;

  function append(after: MidgardState | null): void {
    if (after === null) return;
    states.push(after);
    // Dropped in batches: each drop moves all that stays.
    if (states.length > 2 * DEEPEST_ROLLBACK) states.splice(0, states.length - 1 - DEEPEST_ROLLBACK);
  }

  return {
    state: async () => tip(),
    async submit(tx) {
      const { verdict, after } = judgeSubmission(tip(), tx, parameters, clock.now());
      append(after);
      return verdict;
    },
    async activate(request) {
      const { verdict, after } = judgeActivation(tip(), request, parameters, clock.now());
      append(after);
      return verdict;
    },
    change: async (step) => append(judgeChange(tip(), step)),
    async rollback(steps) {
      checkRollback(steps, Math.min(DEEPEST_ROLLBACK, states.length - 1));
      states.length -= steps;
    },
  };
}
