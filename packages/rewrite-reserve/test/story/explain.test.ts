import { describe, expect, test } from 'vitest';
import { createRewriteScheduler } from '../../src/index.js';
import { key, rewrite } from '../support/rewrites.js';

describe.each(['radix', 'legacy'] as const)('explanations of the %s kind', (kind) => {
  const readers = [
    rewrite({ nRead: [key(1)] }),
    rewrite({ nRead: [key(1)], nWrite: [key(2)] }),
    rewrite({ nRead: [key(1)] }),
  ];
  const claims = rewrite({
    bIn: [{ warp: 1, port: 7 }],
    bOut: [{ warp: 1, port: 7 }],
    eWrite: [key(1)],
    eRead: [key(1)],
  });
  const candidate = rewrite({
    nWrite: [key(1), key(2)],
    nRead: [key(1)],
    eRead: [key(1)],
    bIn: [{ warp: 1, port: 7 }],
    bOut: [{ warp: 1, port: 7 }],
  });
  const filled = (explain: 'off' | 'first' | 'all') => {
    const scheduler = createRewriteScheduler({ kind, explain });
    for (const holder of [...readers, claims]) expect(scheduler.reserve(1, holder)).toBe(true);
    return scheduler;
  };
  const wanted = [
    { blockedBy: readers[0], category: 'node', key: key(1), mode: 'write-read' },
    { blockedBy: readers[1], category: 'node', key: key(1), mode: 'write-read' },
    { blockedBy: readers[2], category: 'node', key: key(1), mode: 'write-read' },
    { blockedBy: readers[1], category: 'node', key: key(2), mode: 'write-write' },
    { blockedBy: claims, category: 'edge', key: key(1), mode: 'read-write' },
    { blockedBy: claims, category: 'port', key: { warp: 1, port: 7n }, mode: 'port' },
  ];

  test('all: by check order, key order and order of acceptance, one per holder and key', () => {
    const blockers = filled('all').explain(1, candidate);
    expect(blockers).toEqual(wanted);
    for (const [at, { blockedBy }] of blockers.entries()) expect(blockedBy).toBe(wanted[at]!.blockedBy);
  });

  test('first is the first of all', () => {
    expect(filled('first').explain(1, candidate)).toEqual(wanted.slice(0, 1));
    expect(filled('first').reserveMany(1, [candidate]).entries[0]!.blockers).toEqual(wanted.slice(0, 1));
  });

  test('first is the default', () => {
    const scheduler = createRewriteScheduler({ kind });
    for (const holder of readers) scheduler.reserve(1, holder);
    expect(scheduler.explain(1, candidate)).toEqual(wanted.slice(0, 1));
  });

  test('off: no blockers in results, and explain refuses', () => {
    const scheduler = filled('off');
    expect(scheduler.reserveMany(1, [candidate]).entries).toEqual([
      { rewrite: candidate, accepted: false, blockers: [] },
    ]);
    expect(() => scheduler.explain(1, candidate)).toThrow(expect.objectContaining({ code: 'explain-off' }));
  });

  test('a question changes nothing, not even the phase', () => {
    const scheduler = filled('all');
    const asked = rewrite({ nWrite: [key(1)] });
    scheduler.explain(1, asked);
    scheduler.explain(2, asked);
    expect(asked.phase).toBe('matched');
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 4, conflicts: 0 });
    expect(scheduler.finalizeTx(2)).toEqual({ reserved: 0, conflicts: 0 });
  });

  test('an empty explanation means it would be accepted now', () => {
    const scheduler = filled('all');
    const free = rewrite({ nRead: [key(1)], nWrite: [key(99)] });
    expect(scheduler.explain(1, free)).toEqual([]);
    expect(scheduler.reserve(1, free)).toBe(true);
    expect(scheduler.explain(77, candidate)).toEqual([]);
  });

  test('after a rollback the undone holders are no longer blamed', () => {
    const scheduler = createRewriteScheduler({ kind, explain: 'all' });
    scheduler.reserve(1, readers[0]!);
    const mark = scheduler.savepoint(1);
    scheduler.reserve(1, readers[1]!);
    scheduler.rollbackTo(1, mark);
    scheduler.reserve(1, readers[2]!);
    expect(scheduler.explain(1, rewrite({ nWrite: [key(1)] })).map(({ blockedBy }) => blockedBy)).toEqual([
      readers[0],
      readers[2],
    ]);
  });
});
