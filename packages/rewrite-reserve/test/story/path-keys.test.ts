import { describe, expect, test } from 'vitest';
import {
  createRewriteScheduler,
  type FootprintSets,
  footprint,
  guardFootprint,
  independent,
  inferFootprint,
  keys,
  type NodeKey,
  scopeHash,
  union,
} from '../../src/index.js';
import { rewrite } from '../support/rewrites.js';

const { node, edge, port, attachment } = keys(1);
const doc = (...rest: (string | number)[]) => ['doc', ...rest];

describe('keys(warp)', () => {
  test('makes plain, frozen keys of one warp', () => {
    const made = [node(7), edge('x'), port(5), attachment('edge', 'x', 'beta'), node(doc(4))];
    expect(made).toStrictEqual([
      { warp: 1, id: 7 },
      { warp: 1, id: 'x' },
      { warp: 1, port: 5n },
      { owner: 'edge', warp: 1, id: 'x', plane: 'beta' },
      { warp: 1, id: ['doc', 4] },
    ]);
    expect(made.every(Object.isFrozen)).toBe(true);
    expect(node({ path: doc(), subtree: true })).toStrictEqual({ warp: 1, path: ['doc'], subtree: true });
    expect(edge({ path: doc(), from: 2 })).toStrictEqual({ warp: 1, path: ['doc'], from: 2 });
    expect(attachment('node', { path: doc(), from: 2, to: 'x' }, 'alpha')).toStrictEqual({
      owner: 'node',
      warp: 1,
      path: ['doc'],
      from: 2,
      to: 'x',
      plane: 'alpha',
    });
  });

  test.each([
    ['a warp that is no id', () => keys(-1)],
    ['an id that is none', () => node(1.5)],
    ['a port outside u64', () => port(-1)],
    ['an owner that is none', () => attachment('port' as 'node', 1, 'alpha')],
  ])('refuses %s', (_, make) => expect(make).toThrow(expect.objectContaining({ code: 'bad-key' })));
});

describe('scopeHash', () => {
  test('is the SHA-256 of a text as UTF-8, and of bytes', () => {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    expect(hex(scopeHash('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(scopeHash('é')).toEqual(scopeHash(Uint8Array.of(0xc3, 0xa9)));
  });

  test('refuses anything else', () => {
    expect(() => scopeHash(5 as never)).toThrow(expect.objectContaining({ code: 'bad-scope-hash' }));
  });
});

describe('a path', () => {
  test.each<[string, unknown]>([
    ['no segments', { warp: 1, id: [] }],
    ['65 segments', { warp: 1, id: Array.from({ length: 65 }, () => 1) }],
    ['a segment that is no u32', { warp: 1, id: ['doc', -1] }],
    ['a segment that is neither number nor text', { warp: 1, id: ['doc', null] }],
    ['a hole', { warp: 1, id: new Array(2) }],
    ['neither subtree nor bound', { warp: 1, path: ['doc'] }],
    ['subtree: false', { warp: 1, path: ['doc'], subtree: false }],
    ['a subtree with a bound', { warp: 1, path: ['doc'], subtree: true, from: 1 }],
    ['a path and an id', { warp: 1, path: ['doc'], id: 4, subtree: true }],
    ['a range that ends where it begins', { warp: 1, path: ['doc'], from: 4, to: 4 }],
    ['a range whose bounds are exchanged', { warp: 1, path: ['doc'], from: 'b', to: 7 }],
    ['a range before everything', { warp: 1, path: ['doc'], to: 0 }],
    ['a bound that is no segment', { warp: 1, path: ['doc'], from: 1.5 }],
  ])('with %s is refused by name', (_, key) => {
    const refused = expect.objectContaining({
      code: 'bad-key',
      details: expect.objectContaining({ field: expect.stringMatching(/^nWrite/) }),
    });
    expect(() => footprint({ nWrite: [key as NodeKey] })).toThrow(refused);
  });

  test('of 64 segments is taken, and a missing bound may be written as undefined', () => {
    expect(footprint({ nRead: [node(Array.from({ length: 64 }, (_, at) => at))] }).nRead).toHaveLength(1);
    const open = { warp: 1, path: ['doc'], from: 3, to: undefined } as unknown as NodeKey;
    expect(footprint({ nRead: [open] }).nRead).toStrictEqual([{ warp: 1, path: ['doc'], from: 3 }]);
  });

  test('is copied: what its owner does with the array afterwards changes nothing', () => {
    const path = ['doc', 1];
    const made = footprint({ nWrite: [{ warp: 1, id: path }] });
    path[1] = 2;
    expect(made.nWrite).toEqual([{ warp: 1, id: ['doc', 1] }]);
    expect(Object.isFrozen(made.nWrite[0]!.id)).toBe(true);
  });

  test('stands behind flat ids; shorter first; at one path point, ranges, subtree', () => {
    const ordered = [
      node(9),
      node('doc'),
      node([3]),
      node(['doc']),
      node({ path: ['doc'], to: 4 }),
      node({ path: ['doc'], from: 1, to: 4 }),
      node({ path: ['doc'], from: 1 }),
      node({ path: ['doc'], from: 'a' }),
      node({ path: ['doc'], subtree: true }),
      node(['doc', 2]),
      node(['doc', 10]),
      node(['doc', '10']),
    ];
    const shuffled = [...ordered.toReversed(), ...ordered];
    expect(footprint({ nRead: shuffled }).nRead).toEqual(ordered);
    expect(union(footprint({ nRead: shuffled.slice(3) }), footprint({ nRead: shuffled })).nRead).toEqual(ordered);
  });

  test('may be the scope, as a point', () => {
    const scheduler = createRewriteScheduler();
    expect(scheduler.reserve(1, rewrite({}, { scope: node(doc(4)) }))).toBe(true);
    const wide = rewrite({}, { scope: node({ path: doc(), subtree: true }) });
    expect(() => scheduler.reserve(1, wide)).toThrow(expect.objectContaining({ code: 'bad-key' }));
  });

  test('written outside the warp of the scope is refused', () => {
    const outside = rewrite({ nWrite: [keys(2).node({ path: doc(), subtree: true })] });
    expect(() => createRewriteScheduler().reserve(1, outside)).toThrow(
      expect.objectContaining({ code: 'warp-mismatch' }),
    );
  });
});

const section = (id: number) => node(doc('section', id));
const sections = (bounds: { from?: number; to?: number }) => node({ path: doc('section'), ...bounds });
const whole = node({ path: doc(), subtree: true });

/** Whether a write of each meets a write of the other, asked of both kinds in both orders. */
function meets(a: FootprintSets, b: FootprintSets): boolean {
  const answers = (['radix', 'legacy'] as const).flatMap((kind) =>
    [
      [a, b],
      [b, a],
    ].map(([first, second]) => {
      const scheduler = createRewriteScheduler({ kind });
      scheduler.reserve(1, rewrite(first));
      return !scheduler.reserve(1, rewrite(second));
    }),
  );
  const byPair = !independent(footprint(a), footprint(b));
  expect(new Set([...answers, byPair]).size).toBe(1);
  return byPair;
}

describe('two keys with paths', () => {
  test.each([
    { story: 'the same point', a: section(4), b: section(4), wanted: true },
    { story: 'neighbours', a: section(4), b: section(5), wanted: false },
    { story: 'a point and one below it', a: node(doc()), b: section(4), wanted: false },
    { story: 'a subtree and a point below it', a: whole, b: section(4), wanted: true },
    { story: 'a subtree and its own point', a: whole, b: node(doc()), wanted: true },
    { story: 'a subtree and another document', a: whole, b: node(['other', 4]), wanted: false },
    { story: 'a subtree and one that begins the same', a: whole, b: node(['docs', 4]), wanted: false },
    { story: 'nested subtrees', a: whole, b: node({ path: doc(4), subtree: true }), wanted: true },
    { story: 'a range and a point in it', a: sections({ from: 3, to: 5 }), b: section(4), wanted: true },
    { story: 'a range and its exclusive end', a: sections({ from: 3, to: 5 }), b: section(5), wanted: false },
    {
      story: 'a range and something below it',
      a: sections({ from: 3 }),
      b: node(doc('section', 4, 'x')),
      wanted: true,
    },
    { story: 'a range and the point it lies below', a: sections({ from: 3 }), b: node(doc('section')), wanted: false },
    { story: 'ranges that touch', a: sections({ to: 5 }), b: sections({ from: 5 }), wanted: false },
    { story: 'ranges that overlap', a: sections({ to: 6 }), b: sections({ from: 5 }), wanted: true },
    { story: 'a range and the subtree around it', a: sections({ to: 6 }), b: whole, wanted: true },
    { story: 'texts beyond a range of numbers', a: sections({ from: 5 }), b: node(doc('section', 'x')), wanted: true },
    { story: 'a path and the flat id of its text', a: node(['doc']), b: node('doc'), wanted: false },
    { story: 'another warp', a: whole, b: keys(2).node({ path: doc(), subtree: true }), wanted: false },
  ])('$story: $wanted', ({ a, b, wanted }) => {
    expect(meets({ nWrite: [a] }, { nRead: [b] })).toBe(wanted);
    expect(meets({ nRead: [a] }, { nRead: [b] })).toBe(false);
    expect(meets({ nWrite: [a] }, { eRead: [b] })).toBe(false);
  });

  test('on attachments meet only with the same owner and plane', () => {
    const along = (owner: 'node' | 'edge', plane: 'alpha' | 'beta') =>
      attachment(owner, { path: doc(), subtree: true }, plane);
    expect(meets({ aWrite: [along('node', 'alpha')] }, { aRead: [attachment('node', doc(4), 'alpha')] })).toBe(true);
    expect(meets({ aWrite: [along('node', 'alpha')] }, { aRead: [along('edge', 'alpha')] })).toBe(false);
    expect(meets({ aWrite: [along('node', 'alpha')] }, { aRead: [along('node', 'beta')] })).toBe(false);
  });
});

test('a blocker names the key of the candidate, once for each holder', () => {
  const scheduler = createRewriteScheduler({ explain: 'all' });
  const first = rewrite({ nWrite: [section(1), section(2)], nRead: [section(3)] });
  const second = rewrite({ nRead: [section(5)] });
  scheduler.reserveMany(1, [first, second]);
  expect(scheduler.explain(1, rewrite({ nWrite: [whole] }))).toEqual([
    { blockedBy: first, category: 'node', key: whole, mode: 'write-write' },
    { blockedBy: second, category: 'node', key: whole, mode: 'write-read' },
  ]);
});

describe('a guard with paths', () => {
  const world = { read: () => 0, write: () => {} };
  const guarded = guardFootprint(rewrite({ nRead: [whole], nWrite: [sections({ from: 3, to: 5 })] }), world);

  test('lets through what a subtree or range covers', () => {
    expect(guarded.read('node', section(9))).toBe(0);
    expect(() => guarded.write('node', section(3), 1)).not.toThrow();
    expect(() => guarded.write('node', sections({ from: 4, to: 5 }), 1)).not.toThrow();
    expect(guarded.read('node', node({ path: doc(7), subtree: true }))).toBe(0);
  });

  test.each([
    ['a point beyond the range', section(5)],
    ['the point the range lies below', node(doc('section'))],
    ['a range that is wider', sections({ from: 3, to: 6 })],
    ['a range that is open', sections({ from: 3 })],
    ['the subtree around it', whole],
  ])('stops a write of %s', (_, key) => {
    expect(() => guarded.write('node', key, 1)).toThrow(expect.objectContaining({ code: 'undeclared-write' }));
  });

  test('infers the keys as they were used', () => {
    const touched = inferFootprint(world, (seen) => seen.write('node', section(4), seen.read('node', whole)));
    expect(touched).toEqual(footprint({ nWrite: [section(4)], nRead: [whole] }));
  });
});

describe.each(['radix', 'legacy'] as const)('held ranges of the %s kind', (kind) => {
  const write = (...path: (string | number)[]) => rewrite({ nWrite: [node(doc(...path))] });
  const reading = (from: number, to: number) => rewrite({ nRead: [node({ path: doc(), from, to })] });

  test('are all looked at, also where a later one starts nearer to the point', () => {
    const scheduler = createRewriteScheduler({ kind });
    for (const range of [reading(0, 100), reading(10, 20), reading(30, 40)])
      expect(scheduler.reserve(1, range)).toBe(true);
    for (const taken of [5, 15, 25, 50, 99]) expect(scheduler.reserve(1, write(taken)), `${taken}`).toBe(false);
    expect(scheduler.reserve(1, write(100))).toBe(true);
    expect(scheduler.reserve(1, write(50, 'title'))).toBe(false);
    expect(scheduler.reserve(1, rewrite({ nRead: [node(doc(50, 'title'))] }))).toBe(true);
  });

  test('count again in every transaction, and not beyond it', () => {
    const scheduler = createRewriteScheduler({ kind });
    for (let tx = 1; tx <= 3; tx++) {
      expect(scheduler.reserve(tx, write(5))).toBe(true);
      expect(scheduler.reserve(tx, reading(6, 9))).toBe(true);
      expect(scheduler.reserve(tx, write(7))).toBe(false);
      const mark = scheduler.savepoint(tx);
      expect(scheduler.reserve(tx, reading(20, 30))).toBe(true);
      expect(scheduler.reserve(tx, write(25))).toBe(false);
      scheduler.rollbackTo(tx, mark);
      expect(scheduler.reserve(tx, write(25))).toBe(true);
      scheduler.finalizeTx(tx);
    }
  });
});
