import type { AnyTransaction, HoraeDatabase } from '@horae/clock-store/storage';
import { frozenState, type MidgardState } from '../state/midgard-state.js';
import type { Ledger, LedgerOptions } from './ledger.js';
import {
  checkRollback,
  DEEPEST_ROLLBACK,
  type Judgement,
  judgeActivation,
  judgeChange,
  judgeSubmission,
} from './ledger-step.js';
import { ledgerMigrations } from './sql-ledger-migrations.js';
import {
  appendStep,
  type ListsCache,
  readLowest,
  readTip,
  removeAbove,
  removeBelow,
  type StoredTip,
} from './sql-ledger-rows.js';

const LOCK = 'midgard-shift/ledger';

/** Steps are dropped in batches of this size. */
const FORGET_EVERY = 256;

/** The ledger in `database`. Every step holds the same lock, so that steps of several processes follow one after the other. */
export async function openSqlLedger(database: HoraeDatabase, options: LedgerOptions): Promise<Ledger> {
  const { parameters, clock } = options;
  await database.migrate('midgard-shift', ledgerMigrations);
  let cache: ListsCache | null = null;

  async function tipIn(trx: AnyTransaction): Promise<StoredTip> {
    const tip = await readTip(trx, cache);
    if (tip === null) throw new Error('the first step is written when the ledger is opened');
    const { active, registered, retired } = tip.state;
    cache = { listsId: tip.listsId, lists: { active, registered, retired } };
    return tip;
  }

  async function append(trx: AnyTransaction, tip: StoredTip, after: StoredTip['state'] | null): Promise<void> {
    if (after === null) return;
    await appendStep(trx, tip, after);
    if (tip.height % FORGET_EVERY === 0) await removeBelow(trx, tip.height - DEEPEST_ROLLBACK);
  }

  await database.withLock(LOCK, async (trx) => {
    if ((await readTip(trx, null)) === null) await appendStep(trx, null, frozenState(options.state));
  });

  const judged = (judge: (state: MidgardState) => Judgement) =>
    database.withLock(LOCK, async (trx) => {
      const tip = await tipIn(trx);
      const { verdict, after } = judge(tip.state);
      await append(trx, tip, after);
      return verdict;
    });

  return {
    state: async () => (await database.transaction(tipIn)).state,
    submit: (tx) => judged((state) => judgeSubmission(state, tx, parameters, clock.now())),
    activate: (request) => judged((state) => judgeActivation(state, request, parameters, clock.now())),
    change: (step) =>
      database.withLock(LOCK, async (trx) => {
        const tip = await tipIn(trx);
        await append(trx, tip, judgeChange(tip.state, step));
      }),
    rollback: (steps) =>
      database.withLock(LOCK, async (trx) => {
        const tip = await tipIn(trx);
        checkRollback(steps, Math.min(DEEPEST_ROLLBACK, tip.height - (await readLowest(trx))));
        await removeAbove(trx, tip.height - steps);
      }),
  };
}
