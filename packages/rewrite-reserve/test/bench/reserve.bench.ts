import { type BenchDefinition, type Contender, defineBench } from '@horae-tooling/bench';
import type { PendingRewrite, RewriteScheduler } from '../../src/index.js';
import { api, batch, type Form, setOfTexts, sortedArrays } from './support.js';

type Loaded = { rewrites: PendingRewrite[]; scheduler: RewriteScheduler };

/** Keys are interned before the first turn: one operation is one key of one reservation in a fresh transaction. */
function scheduler(form: Form, n: number, m: number, kind: 'radix' | 'legacy', many: boolean): Contender<Loaded> {
  return {
    setup() {
      return { rewrites: batch(form, n, m), scheduler: api.createRewriteScheduler({ kind }) };
    },
    run({ rewrites, scheduler: target }) {
      if (many) target.reserveMany(1, rewrites);
      else for (const rewrite of rewrites) target.reserve(1, rewrite);
      return target.finalizeTx(1);
    },
    operations: n * m,
  };
}

function plain(form: Form, n: number, m: number, make: typeof setOfTexts): Contender<() => number> {
  return { setup: () => make(batch(form, n, m)), run: (work) => work(), operations: n * m };
}

function reserve(form: Form, n: number, m: number): BenchDefinition {
  const contenders: BenchDefinition['contenders'] = {
    reserve: scheduler(form, n, m, 'radix', false),
    reserveMany: scheduler(form, n, m, 'radix', true),
  };
  const compared = m === 16 || n === 1000;
  if (compared) contenders['Set<string>'] = plain(form, n, m, setOfTexts);
  if (n === 1000 && m <= 16) contenders['sorted arrays'] = plain(form, n, m, sortedArrays);
  if (n === 1000 && m <= 4) contenders.legacy = scheduler(form, n, m, 'legacy', false);
  const inReach = m >= 16 && n * m <= 400_000 && form === 'handles';
  return defineBench({
    name: `rewrite-reserve/reserve/${form}/${n}x${m}`,
    about: `One key of a reservation; ${n} rewrites of ${m} keys in a transaction, all accepted, keys known beforehand.`,
    ours: 'reserve',
    contenders,
    wanted: inReach ? [{ atMost: 15 }] : [],
  });
}

/** A batch has a figure of its own to reach. */
const many = (n: number, m: number): BenchDefinition =>
  defineBench({
    name: `rewrite-reserve/reserve-many/handles/${n}x${m}`,
    about: `One key of a batch; ${n} rewrites of ${m} keys in a transaction, all accepted, keys known beforehand.`,
    ours: 'reserveMany',
    contenders: {
      reserveMany: scheduler('handles', n, m, 'radix', true),
      'Set<string>': plain('handles', n, m, setOfTexts),
    },
    wanted: [{ atMost: 8 }],
  });

const sizes = [1, 4, 16, 64];
/** Not every size for every form: each contender has keys of its own, and millions of them would fill the memory. */
const fits = (form: Form, n: number, m: number) => n * m <= (form === 'handles' ? 1_600_000 : 400_000);

const each = (['handles', 'bytes', 'texts'] as const).flatMap((form) =>
  [1000, 10_000, 25_000, 100_000].flatMap((n) =>
    sizes.filter((m) => fits(form, n, m) && (n !== 25_000 || m === 16)).map((m) => reserve(form, n, m)),
  ),
);

export default [...each, ...[1000, 10_000, 25_000].map((n) => many(n, 16))];
