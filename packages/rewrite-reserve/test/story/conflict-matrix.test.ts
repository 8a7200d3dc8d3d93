import { describe, expect, test } from 'vitest';
import { createRewriteScheduler, type FootprintSets } from '../../src/index.js';
import { key, rewrite } from '../support/rewrites.js';

type SetName = Exclude<keyof FootprintSets, 'factorMask'>;
type Make = (warp?: number) => FootprintSets;

const attachment = (owner: 'node' | 'edge', plane: 'alpha' | 'beta') => (warp: number) => ({
  owner,
  plane,
  warp,
  id: 1,
});
const node = (warp: number) => key(1, warp);
const port = (warp: number) => ({ warp, port: 1n });

/** Every use of "the same thing" in every space: the space decides what the use can meet. */
const uses: { space: string; use: 'read' | 'write' | 'port'; set: SetName; make: Make }[] = [];
function add(space: string, use: 'read' | 'write' | 'port', set: SetName, keyIn: (warp: number) => object) {
  uses.push({ space, use, set, make: (warp = 1) => ({ [set]: [keyIn(warp)] }) });
}
add('node', 'read', 'nRead', node);
add('node', 'write', 'nWrite', node);
add('edge', 'read', 'eRead', node);
add('edge', 'write', 'eWrite', node);
for (const owner of ['node', 'edge'] as const) {
  for (const plane of ['alpha', 'beta'] as const) {
    add(`attachment ${owner} ${plane}`, 'read', 'aRead', attachment(owner, plane));
    add(`attachment ${owner} ${plane}`, 'write', 'aWrite', attachment(owner, plane));
  }
}
add('port', 'port', 'bIn', port);
add('port', 'port', 'bOut', port);

const pairs = uses.flatMap((held) =>
  uses.map((candidate) => {
    const refused = held.space === candidate.space && !(held.use === 'read' && candidate.use === 'read');
    const category = candidate.space.split(' ')[0];
    const mode = candidate.use === 'port' ? 'port' : `${candidate.use}-${held.use}`;
    return {
      held,
      candidate,
      refused,
      category,
      mode,
      story: `${held.space} ${held.set} then ${candidate.space} ${candidate.set}`,
    };
  }),
);

describe.each(['radix', 'legacy'] as const)('the conflict matrix of the %s kind', (kind) => {
  test.each(pairs)('$story: refused is $refused', ({ held, candidate, refused, category, mode }) => {
    const scheduler = createRewriteScheduler({ kind, explain: 'all' });
    const holder = rewrite(held.make());
    const other = rewrite(candidate.make());
    expect(scheduler.reserve(1, holder)).toBe(true);
    const blockers = scheduler.explain(1, other);
    expect(scheduler.reserve(1, other)).toBe(!refused);
    const wantedKey = other.footprint[candidate.set][0];
    expect(blockers).toEqual(refused ? [{ blockedBy: holder, category, key: wantedKey, mode }] : []);
  });

  test.each(uses)('$space $set never meets the same key of another warp', ({ make }) => {
    const scheduler = createRewriteScheduler({ kind });
    expect(scheduler.reserve(1, rewrite(make(1)))).toBe(true);
    expect(scheduler.reserve(1, rewrite(make(2), { scope: key(0, 2) }))).toBe(true);
  });

  test('a footprint does not conflict with itself, whatever it does to a key', () => {
    const scheduler = createRewriteScheduler({ kind });
    const both = rewrite({
      nRead: [key(1)],
      nWrite: [key(1)],
      eRead: [key(1)],
      eWrite: [key(1)],
      aRead: [attachment('node', 'alpha')(1)],
      aWrite: [attachment('node', 'alpha')(1)],
      bIn: [port(1)],
      bOut: [port(1)],
    });
    expect(scheduler.reserve(1, both)).toBe(true);
    expect(scheduler.reserve(1, both)).toBe(false);
  });

  test('an empty footprint is always accepted', () => {
    const scheduler = createRewriteScheduler({ kind });
    const nothing = rewrite();
    expect([1, 2, 3].map(() => scheduler.reserve(1, nothing))).toEqual([true, true, true]);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 3, conflicts: 0 });
  });

  test('a rewrite that only reads can be reserved twice, one that writes cannot', () => {
    const scheduler = createRewriteScheduler({ kind });
    const reads = rewrite({ nRead: [key(1)] });
    const writes = rewrite({ nWrite: [key(2)] });
    expect([reads, reads, writes, writes].map((each) => scheduler.reserve(1, each))).toEqual([true, true, true, false]);
  });
});

test('the radix kind ignores the factor mask, the legacy kind takes it as a promise', () => {
  const [first, second] = [1n, 2n].map((factorMask) => rewrite({ nWrite: [key(1)], factorMask }));
  for (const [kind, decision] of [
    ['radix', false],
    ['legacy', true],
  ] as const) {
    const scheduler = createRewriteScheduler({ kind, explain: 'all' });
    scheduler.reserve(1, first!);
    expect(scheduler.explain(1, second!)).toHaveLength(decision ? 0 : 1);
    expect(scheduler.reserve(1, second!)).toBe(decision);
  }
});
