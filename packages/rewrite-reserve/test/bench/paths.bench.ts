import { type Contender, defineBench } from '@horae-tooling/bench';
import type { NodeKey, PendingRewrite, RewriteScheduler } from '../../src/index.js';
import { api } from './support.js';

type Loaded = { rewrites: PendingRewrite[]; scheduler: RewriteScheduler };
const KEYS = 16;

/** `n` rewrites of 16 keys each, half read and half written, none in conflict, known beforehand. */
function reserving(n: number, keyOf: (rewrite: number, key: number) => NodeKey, wide = false): Contender<Loaded> {
  return {
    setup() {
      const rewrites = Array.from({ length: n }, (_, at): PendingRewrite => {
        const keys = Array.from({ length: KEYS }, (_, key) => keyOf(at, key));
        const more = wide ? [{ warp: 1, path: ['table', at], from: 'a' }] : [];
        const footprint = api.footprint({ nWrite: [...keys.slice(KEYS / 2), ...more], nRead: keys.slice(0, KEYS / 2) });
        return {
          scopeHash: new Uint8Array(32),
          compactRule: at,
          scope: { warp: 1, id: 1 },
          footprint,
          phase: 'matched',
        };
      });
      return { rewrites, scheduler: api.createRewriteScheduler() };
    },
    run({ rewrites, scheduler }) {
      for (const rewrite of rewrites) scheduler.reserve(1, rewrite);
      return scheduler.finalizeTx(1).reserved;
    },
    operations: n * KEYS,
  };
}

const kinds: Record<string, (n: number) => Contender<Loaded>> = {
  'paths of 3 segments': (n) => reserving(n, (rewrite, key) => ({ warp: 1, id: ['table', rewrite, key] })),
  'paths of 8 segments': (n) => reserving(n, (rewrite, key) => ({ warp: 1, id: [0, 1, 2, 3, 4, 5, rewrite, key] })),
  'subtrees of 3 segments': (n) =>
    reserving(n, (rewrite, key) => ({ warp: 1, path: ['table', rewrite, key], subtree: true })),
  'paths beside a range': (n) => reserving(n, (rewrite, key) => ({ warp: 1, id: ['table', rewrite, key] }), true),
};

/** Every kind of path is judged against flat keys, in a bench of its own. */
const against = (n: number) =>
  Object.entries(kinds).map(([kind, contender]) =>
    defineBench({
      name: `rewrite-reserve/paths/${n}x${KEYS}/${kind.replaceAll(' ', '-')}`,
      about: `One key of a reservation of ${KEYS}; ${n} rewrites, all accepted, keys known beforehand.`,
      ours: kind,
      contenders: {
        [kind]: contender(n),
        'flat keys': reserving(n, (rewrite, key) => ({ warp: 1, id: rewrite * KEYS + key })),
      },
      wanted: [{ against: 'flat keys', ratioAtLeast: 1 / 3 }],
    }),
  );

export default [...against(1000), ...against(10_000)];
