import { type Contender, defineBench } from '@horae-tooling/bench';
import type { PendingRewrite, RewriteScheduler } from '../../src/index.js';
import { api, randomBytes32, words } from './support.js';

type Hash = (next: () => number) => Uint8Array;
type Loaded = { rewrites: PendingRewrite[]; scheduler: RewriteScheduler };

function rewritesWith(hash: Hash, n: number): PendingRewrite[] {
  const next = words(n);
  const footprint = api.footprint();
  return Array.from({ length: n }, (_, at) => ({
    scopeHash: hash(next),
    compactRule: at,
    scope: { warp: 1, id: 1 },
    footprint,
    phase: 'matched',
  }));
}

/** Only the drain is timed: every sample fills the queue anew and times several drains. */
function drain(hash: Hash, n: number): Contender<Loaded> {
  const transactions = Math.max(1, Math.ceil(100_000 / n));
  return {
    setup: () => ({ rewrites: rewritesWith(hash, n), scheduler: api.createRewriteScheduler() }),
    sample({ rewrites, scheduler }) {
      for (let tx = 0; tx < transactions; tx++) for (const rewrite of rewrites) scheduler.enqueue(tx, rewrite);
      const start = process.hrtime.bigint();
      let drained = 0;
      for (let tx = 0; tx < transactions; tx++) drained += scheduler.drainForTx(tx).length;
      const took = Number(process.hrtime.bigint() - start);
      for (let tx = 0; tx < transactions; tx++) scheduler.finalizeTx(tx);
      return took / drained;
    },
  };
}

function bufferCompare(hash: Hash, n: number): Contender<PendingRewrite[]> {
  return {
    setup: () => rewritesWith(hash, n),
    run: (rewrites) =>
      [...rewrites].sort((a, b) => Buffer.compare(a.scopeHash, b.scopeHash) || a.compactRule - b.compactRule),
    operations: n,
  };
}

const cheap = [1000, 10_000, 100_000].map((n) =>
  defineBench({
    name: `rewrite-reserve/drain/${n}`,
    about: 'One rewrite of a drain; random scope hashes, filling the queue is not timed.',
    ours: 'drainForTx',
    contenders: { drainForTx: drain(randomBytes32, n), 'sort with Buffer.compare': bufferCompare(randomBytes32, n) },
    wanted: [{ atMost: 50 }],
  }),
);

const within = (from: number): Hash => {
  return (next) => randomBytes32(next).fill(7, 0, from);
};
const ADVERSARIAL: Record<string, Hash> = {
  random: randomBytes32,
  '4 bytes in common': within(4),
  '16 bytes in common': within(16),
  '28 bytes in common': within(28),
  'two values per word': (next) => {
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < 32; at += 4) view.setUint32(at, next() & 4096 ? 0x7fffffff : 0x80000000);
    return bytes;
  },
};

const adversarial = defineBench({
  name: 'rewrite-reserve/drain/prefixes/100000',
  about:
    'One rewrite of a drain of 100,000; hashes with long common prefixes must cost at most four times random ones.',
  ours: 'random',
  contenders: Object.fromEntries(Object.entries(ADVERSARIAL).map(([kind, hash]) => [kind, drain(hash, 100_000)])),
  wanted: Object.keys(ADVERSARIAL)
    .filter((kind) => kind.includes('common'))
    .map((against) => ({ against, ratioAtLeast: 1 / 4 })),
});

export default [...cheap, adversarial];
