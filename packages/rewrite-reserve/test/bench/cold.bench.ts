import { defineBench } from '@horae-tooling/bench';
import type { PendingRewrite } from '../../src/index.js';
import { api, batch, type Form, textOf, words } from './support.js';

const M = 16;

/** Every turn sees the keys for the first time: a new scheduler, a new interner, numbers and stamps that have to grow. */
function cold(rewrites: PendingRewrite[]): unknown {
  const scheduler = api.createRewriteScheduler();
  for (const rewrite of rewrites) scheduler.reserve(1, rewrite);
  return scheduler.finalizeTx(1);
}

/** `Set<string>` has to make its texts as well when the keys are new. */
function coldSet(rewrites: PendingRewrite[]): number {
  const held = new Set<string>();
  for (const { footprint } of rewrites) {
    for (const key of footprint.nWrite) held.add(`w${textOf(key)}`);
    for (const key of footprint.nRead) held.add(`r${textOf(key)}`);
  }
  return held.size;
}

const growth = (['handles', 'bytes', 'texts'] as const).flatMap((form: Form) =>
  [1000, 10_000].map((n) =>
    defineBench({
      name: `rewrite-reserve/cold/${form}/${n}x${M}`,
      about: 'One key of a reservation by a scheduler that has never seen any of the keys.',
      ours: 'reserve',
      contenders: {
        reserve: { setup: () => batch(form, n, M), run: cold, operations: n * M },
        'Set<string>': { setup: () => batch(form, n, M), run: coldSet, operations: n * M },
      },
      // Half of what the Rust original takes per key with growth, which was measured as 614 ns.
      wanted: form === 'bytes' ? [{ atMost: 307 }] : [],
    }),
  ),
);

/** Byte names crafted against a hash that looks at some bytes only, or adds words up. */
const CRAFTED: Record<string, (at: number, next: () => number) => Uint8Array> = {
  random: (_, next) => {
    const id = new Uint8Array(32);
    for (let byte = 0; byte < 32; byte++) id[byte] = next();
    return id;
  },
  'only the last four bytes differ': (at) => {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(28, at);
    return id;
  },
  'equal sums of words': (at) => {
    const id = new Uint8Array(32);
    const view = new DataView(id.buffer);
    view.setUint32(0, at);
    view.setUint32(4, -at);
    return id;
  },
  'equal xor of words, top bits first': (at) => {
    const id = new Uint8Array(32);
    const view = new DataView(id.buffer);
    for (let word = 0; word < 4; word++) {
      const bits = ((at >>> (word * 5)) & 31) << 27;
      view.setUint32(word * 8, bits);
      view.setUint32(word * 8 + 4, bits);
    }
    return id;
  },
};

function crafted(kind: string, n: number): PendingRewrite[] {
  const next = words(99);
  const warp = new Uint8Array(32);
  return Array.from({ length: n }, (_, at) => ({
    scopeHash: new Uint8Array(32),
    compactRule: 0,
    scope: { warp, id: 1 },
    footprint: api.footprint({
      nWrite: Array.from({ length: M }, (__, each) => ({ warp, id: CRAFTED[kind]!(at * M + each, next) })),
    }),
    phase: 'matched',
  }));
}

const adversarial = defineBench({
  name: `rewrite-reserve/collisions/10000x${M}`,
  about: 'One new 32-byte key of a reservation; keys crafted to collide must cost at most three times random ones.',
  ours: 'random',
  contenders: Object.fromEntries(
    Object.keys(CRAFTED).map((kind) => [
      kind,
      { setup: () => crafted(kind, 10_000), run: cold, operations: 10_000 * M },
    ]),
  ),
  wanted: Object.keys(CRAFTED)
    .filter((kind) => kind !== 'random')
    .map((against) => ({ against, ratioAtLeast: 1 / 3 })),
});

export default [...growth, adversarial];
