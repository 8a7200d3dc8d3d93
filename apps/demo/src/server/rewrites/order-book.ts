import { createRewriteScheduler, planWaves } from 'horae/rewrite';
import type { Clock, Random } from 'horae/time';
import type { BookTick, RewritesSnapshot } from '../../wire/rewrites.js';
import type { Note } from '../overview/activity.js';
import { rewriteOf } from './rewrite-batch.js';

/** Trades between merchants, settled in batches: a trade that collides with an admitted one is refused and tried again later. */
export interface OrderBook {
  tick(): void;
  snapshot(): RewritesSnapshot;
}

const merchants = ['Amber', 'Barley', 'Cedar', 'Dates', 'Ebony', 'Flax', 'Ginger', 'Honey'];
const TRADES_A_TICK = 6;
const KEPT_TICKS = 12;
/** A new scheduler now and then, because its interner keeps every key it has seen. */
const TICKS_A_SCHEDULER = 500;

export function createOrderBook(clock: Clock, random: Random, note: Note): OrderBook {
  const balances = new Map(merchants.map((name) => [name, 100]));
  const ticks: BookTick[] = [];
  let scheduler = createRewriteScheduler();
  let tick = 0;
  let accepted = 0;
  let refused = 0;

  const draw = () => {
    const from = random.below(merchants.length);
    const to = (from + 1 + random.below(merchants.length - 1)) % merchants.length;
    return { from: merchants[from]!, to: merchants[to]!, amount: 5 + random.below(30) };
  };

  return {
    tick() {
      tick += 1;
      if (tick % TICKS_A_SCHEDULER === 0) scheduler = createRewriteScheduler();
      const trades = Array.from({ length: TRADES_A_TICK }, draw);
      const rewrites = trades.map(({ from, to }, i) =>
        rewriteOf({ name: `trade ${tick}.${i}`, reads: [], writes: [from, to] }, i),
      );
      for (const rewrite of rewrites) scheduler.enqueue(tick, rewrite);
      scheduler.reserveMany(tick, scheduler.drainForTx(tick));
      const { reserved, conflicts } = scheduler.finalizeTx(tick);
      const settled = trades.map((trade, i) => ({ ...trade, accepted: rewrites[i]!.phase === 'reserved' }));
      for (const { from, to, amount, accepted: isAccepted } of settled) {
        if (!isAccepted) continue;
        const paid = Math.min(amount, balances.get(from)!);
        balances.set(from, balances.get(from)! - paid);
        balances.set(to, balances.get(to)! + paid);
      }
      const waves = planWaves(rewrites).length;
      accepted += reserved;
      refused += conflicts;
      ticks.unshift({ tick, at: clock.now(), trades: settled, waves });
      ticks.length = Math.min(ticks.length, KEPT_TICKS);
      note('rewrites', `batch ${tick}: ${reserved} admitted, ${conflicts} refused, ${waves} waves`);
    },
    snapshot: () => ({
      balances: merchants.map((account) => ({ account, amount: balances.get(account)! })),
      ticks,
      accepted,
      refused,
    }),
  };
}
