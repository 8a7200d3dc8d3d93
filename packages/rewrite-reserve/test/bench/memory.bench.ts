import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineBench } from '@horae-tooling/bench';
import { api, batch, type Form, textOf } from './support.js';

const N = 10_000;
const M = 16;

// The collector is asked for by name: without it the figures are those of garbage.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function used(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What a scheduler keeps per key beyond the footprints themselves, in a transaction that holds all of them. */
const ours = (form: Form) => ({
  sample() {
    const rewrites = batch(form, N, M);
    const before = used();
    const scheduler = api.createRewriteScheduler();
    for (const rewrite of rewrites) scheduler.reserve(1, rewrite);
    const after = used();
    scheduler.finalizeTx(1);
    return (after - before) / (N * M);
  },
});

const set = (form: Form) => ({
  sample() {
    const rewrites = batch(form, N, M);
    const before = used();
    const held = new Set<string>();
    for (const { footprint } of rewrites)
      for (const key of [...footprint.nRead, ...footprint.nWrite]) held.add(textOf(key));
    const after = used();
    // Used once more, so that the rewrites are not collected before the second reading.
    return (after - before) / Math.min(held.size, rewrites.length * M);
  },
});

export default (['handles', 'bytes', 'texts'] as const).map((form) =>
  defineBench({
    name: `rewrite-reserve/memory/${form}`,
    about: 'Bytes kept per key by a scheduler that holds 160,000 keys, beside a Set of texts.',
    ours: 'scheduler',
    unit: 'bytes',
    contenders: { scheduler: ours(form), 'Set<string>': set(form) },
  }),
);
