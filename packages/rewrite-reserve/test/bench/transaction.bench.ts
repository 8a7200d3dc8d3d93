import { type Contender, defineBench } from '@horae-tooling/bench';
import type { PendingRewrite, RewriteScheduler } from '../../src/index.js';
import { api, batch } from './support.js';

type Held = { scheduler: RewriteScheduler; candidates: PendingRewrite[] };

/** A scheduler that holds `k` rewrites of 16 keys, and candidates that meet two of them each. */
function explaining(k: number): Contender<Held> {
  return {
    setup() {
      const scheduler = api.createRewriteScheduler({ explain: 'all' });
      const held = batch('handles', k, 16);
      for (const rewrite of held) scheduler.reserve(1, rewrite);
      const candidates = Array.from({ length: 200 }, (_, at) => {
        const [one, two] = [held[(at * 7) % k]!, held[(at * 13 + 1) % k]!].map(({ footprint }) => footprint.nWrite[0]!);
        return { ...held[0]!, footprint: api.footprint({ nRead: [one!, two!, { warp: 1, id: 0xfffffff0 }] }) };
      });
      return { scheduler, candidates };
    },
    run({ scheduler, candidates }) {
      let blockers = 0;
      for (const candidate of candidates) blockers += scheduler.explain(1, candidate).length;
      return blockers;
    },
    operations: 200,
  };
}

/** Eight transactions of `k` rewrites; the first finalize warms the caches for the seven that are timed. */
function finalizing(k: number): Contender<Held> {
  return {
    setup: () => ({ scheduler: api.createRewriteScheduler(), candidates: batch('handles', k, 4) }),
    sample({ scheduler, candidates }) {
      for (let tx = 0; tx < 8; tx++) for (const rewrite of candidates) scheduler.reserve(tx, rewrite);
      scheduler.finalizeTx(0);
      const start = process.hrtime.bigint();
      for (let tx = 1; tx < 8; tx++) scheduler.finalizeTx(tx);
      return Number(process.hrtime.bigint() - start) / 7;
    },
  };
}

export default [
  defineBench({
    name: 'rewrite-reserve/explain',
    about: 'One explanation with all (two) blockers among k admitted rewrites: it must not grow with k.',
    ours: '100000 admitted',
    contenders: { '100000 admitted': explaining(100_000), '1000 admitted': explaining(1000) },
    // At most twice: the larger heap is paid for by the garbage collector and the caches, not by the number of holders.
    wanted: [{ against: '1000 admitted', ratioAtLeast: 0.5 }],
  }),
  defineBench({
    name: 'rewrite-reserve/finalize',
    about: 'One finalizeTx of a transaction that holds k rewrites: it must not grow with k.',
    ours: '100 held',
    contenders: { '100 held': finalizing(100), '10000 held': finalizing(10_000), '100000 held': finalizing(100_000) },
  }),
];
