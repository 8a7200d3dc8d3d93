import { describe, expect, test } from 'vitest';
import { guardFootprint, inferFootprint, type ResourceKey, type World } from '../../src/index.js';
import { keyText } from '../support/pairwise-oracle.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

/** A world that counts how often it is touched. */
function mapWorld() {
  const values = new Map<string, unknown>();
  const touched: string[] = [];
  const slot = (category: string, at: ResourceKey) => `${category} ${keyText(at)}`;
  const world: World = {
    read(category, at) {
      touched.push(`read ${category}`);
      return values.get(slot(category, at));
    },
    write(category, at, value) {
      touched.push(`write ${category}`);
      values.set(slot(category, at), value);
    },
  };
  return { world, touched };
}

const attachment = { owner: 'node', warp: 1, id: 1, plane: 'alpha' } as const;

describe('the guard', () => {
  const declared = rewrite({
    nRead: [key(1)],
    nWrite: [key(2)],
    eRead: [key(3)],
    eWrite: [key(bytes32(4))],
    aRead: [attachment],
    aWrite: [{ ...attachment, plane: 'beta' }],
    bIn: [{ warp: 1, port: 1 }],
    bOut: [{ warp: 1, port: 2 }],
  });

  test('lets declared uses through; a declared write allows reading', () => {
    const { world, touched } = mapWorld();
    const guarded = guardFootprint(declared, world);
    guarded.write('node', key(2), 'two');
    expect(guarded.read('node', key(2))).toBe('two');
    guarded.read('node', key(1));
    guarded.read('edge', key(3));
    guarded.write('edge', key(bytes32(4)), 1);
    guarded.read('attachment', attachment);
    guarded.write('attachment', { ...attachment, plane: 'beta' }, 1);
    for (const port of [1, 2n]) {
      guarded.read('port', { warp: 1, port });
      guarded.write('port', { warp: 1, port }, 1);
    }
    expect(touched).toHaveLength(11);
  });

  test.each([
    ['undeclared-write', 'node', key(1)],
    ['undeclared-read', 'node', key(9)],
    ['undeclared-read', 'node', key('1')],
    ['undeclared-read', 'node', key(1, 2)],
    ['undeclared-write', 'edge', key(3)],
    ['undeclared-read', 'edge', key(1)],
    ['undeclared-read', 'edge', key(bytes32(5))],
    ['undeclared-write', 'attachment', attachment],
    ['undeclared-read', 'attachment', { ...attachment, owner: 'edge' as const }],
    ['undeclared-read', 'port', { warp: 1, port: 3n }],
    ['undeclared-write', 'port', { warp: 2, port: 1n }],
  ] as const)('finds a planted %s of a %s before the world is touched', (code, category, at) => {
    const { world, touched } = mapWorld();
    const guarded = guardFootprint(declared, world);
    const fault = () => (code === 'undeclared-read' ? guarded.read(category, at) : guarded.write(category, at, 1));
    expect(fault).toThrow(
      expect.objectContaining({ name: 'FootprintViolationError', code, details: { category, key: at } }),
    );
    expect(touched).toEqual([]);
  });

  test('refuses a key or category of the wrong form', () => {
    const guarded = guardFootprint(declared, mapWorld().world);
    expect(() => guarded.read('node', key(-1))).toThrow(expect.objectContaining({ code: 'bad-key' }));
    expect(() => guarded.read('nodes' as never, key(1))).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

describe('inferFootprint', () => {
  test('gives exactly what was touched, in both sets when it was read and written', () => {
    const { world, touched } = mapWorld();
    const inferred = inferFootprint(world, (seen) => {
      seen.write('node', key(2), seen.read('node', key(1)));
      seen.read('node', key(2));
      seen.read('edge', key('e'));
      seen.write('edge', key('f'), 1);
      seen.read('attachment', attachment);
      seen.write('attachment', attachment, 1);
      seen.read('port', { warp: 1, port: 1 });
      seen.write('port', { warp: 1, port: 2 }, 1);
    });
    const { factorMask, ...sets } = inferred;
    expect(sets).toEqual({
      nRead: [key(1), key(2)],
      nWrite: [key(2)],
      eRead: [key('e')],
      eWrite: [key('f')],
      aRead: [attachment],
      aWrite: [attachment],
      bIn: [{ warp: 1, port: 1n }],
      bOut: [{ warp: 1, port: 2n }],
    });
    expect(factorMask).toBe(2n ** 64n - 1n);
    expect(touched).toHaveLength(9);
  });

  test('what was inferred passes the guard', () => {
    const { world } = mapWorld();
    const run = (seen: World) => seen.write('node', key(2), seen.read('edge', key(1)));
    const guarded = guardFootprint(rewrite(inferFootprint(world, run)), world);
    expect(() => run(guarded)).not.toThrow();
  });

  test('refuses an asynchronous run, whose later uses it would miss', () => {
    expect(() => inferFootprint(mapWorld().world, async () => {})).toThrow(
      expect.objectContaining({ code: 'bad-argument' }),
    );
  });
});
