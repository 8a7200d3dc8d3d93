import { describe, expect, test } from 'vitest';
import { createRewriteScheduler, type PendingRewrite } from '../../src/index.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

const writes = (...ids: number[]) => rewrite({ nWrite: ids.map((id) => key(id)) });

describe.each(['radix', 'legacy'] as const)('transactions of the %s kind', (kind) => {
  test('do not see each other', () => {
    const scheduler = createRewriteScheduler({ kind });
    for (const tx of [1, 2, 0, -7, Number.MAX_SAFE_INTEGER]) expect(scheduler.reserve(tx, writes(1))).toBe(true);
    expect(scheduler.reserve(2, writes(1))).toBe(false);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 1, conflicts: 0 });
    expect(scheduler.finalizeTx(2)).toEqual({ reserved: 1, conflicts: 1 });
  });

  test('finalize drops queue and holdings; again gives zeros; the id is usable again', () => {
    const scheduler = createRewriteScheduler({ kind });
    scheduler.enqueue(1, writes(1));
    scheduler.reserve(1, writes(1));
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 1, conflicts: 0 });
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 0, conflicts: 0 });
    expect(scheduler.drainForTx(1)).toEqual([]);
    expect(scheduler.reserve(1, writes(1))).toBe(true);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 1, conflicts: 0 });
  });

  test('hundreds at once and in turn keep apart', () => {
    const scheduler = createRewriteScheduler({ kind });
    for (let round = 0; round < 3; round++) {
      for (let tx = 0; tx < 200; tx++) expect(scheduler.reserve(tx, writes(tx % 5))).toBe(true);
      for (let tx = 0; tx < 200; tx++) expect(scheduler.finalizeTx(tx)).toEqual({ reserved: 1, conflicts: 0 });
    }
  });

  test('a savepoint on a new transaction and a rollback give everything up', () => {
    const scheduler = createRewriteScheduler({ kind });
    const mark = scheduler.savepoint(1);
    const [held, refused] = [writes(1), writes(1)];
    scheduler.reserve(1, held);
    scheduler.reserve(1, refused);
    scheduler.enqueue(1, held);
    scheduler.rollbackTo(1, mark);
    expect([held.phase, refused.phase]).toEqual(['matched', 'aborted']);
    expect(scheduler.drainForTx(1)).toEqual([held]);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 0, conflicts: 0 });
  });

  test('a mark stays usable, later marks die', () => {
    const scheduler = createRewriteScheduler({ kind });
    scheduler.reserve(1, writes(1));
    const early = scheduler.savepoint(1);
    scheduler.reserve(1, writes(2));
    const late = scheduler.savepoint(1);
    scheduler.rollbackTo(1, early);
    scheduler.reserve(1, writes(2));
    scheduler.rollbackTo(1, early);
    expect(scheduler.reserve(1, writes(2))).toBe(true);
    expect(scheduler.reserve(1, writes(1))).toBe(false);
    expect(() => scheduler.rollbackTo(1, late)).toThrow(expect.objectContaining({ code: 'bad-mark' }));
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 2, conflicts: 1 });
  });

  test('a dead, foreign, finalized or invented mark is refused and changes nothing', () => {
    const scheduler = createRewriteScheduler({ kind });
    const stranger = createRewriteScheduler({ kind });
    const mark = scheduler.savepoint(1);
    scheduler.savepoint(2);
    scheduler.reserve(2, writes(1));
    const finalized = scheduler.savepoint(3);
    scheduler.finalizeTx(3);
    scheduler.reserve(3, writes(1));
    scheduler.savepoint(3);
    const bad = expect.objectContaining({ code: 'bad-mark' });
    expect(() => scheduler.rollbackTo(2, mark)).toThrow(bad);
    expect(() => scheduler.rollbackTo(3, finalized)).toThrow(bad);
    expect(() => scheduler.rollbackTo(4, mark)).toThrow(bad);
    expect(() => scheduler.rollbackTo(2, stranger.savepoint(2))).toThrow(bad);
    expect(() => scheduler.rollbackTo(2, {} as never)).toThrow(bad);
    expect(() => scheduler.rollbackTo(2, null as never)).toThrow(bad);
    expect(scheduler.finalizeTx(2)).toEqual({ reserved: 1, conflicts: 0 });
    expect(scheduler.finalizeTx(3)).toEqual({ reserved: 1, conflicts: 0 });
  });
});

describe.each(['radix', 'legacy'] as const)('reserveMany of the %s kind', (kind) => {
  test('reserves in order and counts its own batch', () => {
    const scheduler = createRewriteScheduler({ kind });
    scheduler.reserve(1, writes(9));
    const batch = [writes(1), writes(1, 2), writes(2), writes(9)];
    const result = scheduler.reserveMany(1, batch);
    expect(result).toMatchObject({ reserved: 2, conflicts: 2 });
    expect(result.entries.map(({ accepted }) => accepted)).toEqual([true, false, true, false]);
    expect(result.entries.map((entry) => entry.rewrite)).toEqual(batch);
    expect(batch.map(({ phase }) => phase)).toEqual(['reserved', 'aborted', 'reserved', 'aborted']);
    expect(result.entries[1]!.blockers).toMatchObject([{ blockedBy: batch[0], mode: 'write-write', key: key(1) }]);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 3, conflicts: 2 });
  });

  test('with allOrNothing and one refusal holds nothing', () => {
    const scheduler = createRewriteScheduler({ kind });
    scheduler.reserve(1, writes(9));
    const batch = [writes(1), writes(2), writes(1)];
    const result = scheduler.reserveMany(1, batch, { allOrNothing: true });
    expect(result).toMatchObject({ reserved: 0, conflicts: 3 });
    expect(result.entries.map(({ accepted }) => accepted)).toEqual([false, false, false]);
    expect(batch.map(({ phase }) => phase)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(result.entries[2]!.blockers).toMatchObject([{ blockedBy: batch[0] }]);
    expect(scheduler.reserve(1, writes(1, 2))).toBe(true);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 2, conflicts: 3 });
  });

  test('with allOrNothing and no refusal is like without', () => {
    const scheduler = createRewriteScheduler({ kind });
    expect(scheduler.reserveMany(1, [writes(1), writes(2)], { allOrNothing: true })).toMatchObject({
      reserved: 2,
      conflicts: 0,
    });
    expect(scheduler.reserve(1, writes(2))).toBe(false);
  });

  test('checks the whole batch before the first reservation', () => {
    const scheduler = createRewriteScheduler({ kind });
    const batch = [writes(1), { ...writes(2), compactRule: -1 }];
    expect(() => scheduler.reserveMany(1, batch)).toThrow(expect.objectContaining({ code: 'bad-rule' }));
    expect(batch.map(({ phase }) => phase)).toEqual(['matched', 'matched']);
    expect(scheduler.reserve(1, writes(1))).toBe(true);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 1, conflicts: 0 });
  });

  test('of nothing gives nothing', () => {
    expect(createRewriteScheduler({ kind }).reserveMany(1, [])).toEqual({ reserved: 0, conflicts: 0, entries: [] });
  });
});

describe('bad input is a typed error and changes nothing', () => {
  const good = writes(1);
  const cases: [string, string, Partial<Record<keyof PendingRewrite, unknown>>][] = [
    ['a scope hash of 31 bytes', 'bad-scope-hash', { scopeHash: new Uint8Array(31) }],
    ['a scope hash of 33 bytes', 'bad-scope-hash', { scopeHash: new Uint8Array(33) }],
    ['a scope hash that is a text', 'bad-scope-hash', { scopeHash: 'x'.repeat(32) }],
    ['no scope hash', 'bad-scope-hash', { scopeHash: undefined }],
    ['a negative rule', 'bad-rule', { compactRule: -1 }],
    ['a rule of 2^32', 'bad-rule', { compactRule: 2 ** 32 }],
    ['a fractional rule', 'bad-rule', { compactRule: 0.5 }],
    ['a rule that is NaN', 'bad-rule', { compactRule: Number.NaN }],
    ['a rule id of 5 bytes', 'bad-rule-id', { ruleId: new Uint8Array(5) }],
    ['a rule id that is a text', 'bad-rule-id', { ruleId: 'rule' }],
    ['a scope without a warp', 'bad-key', { scope: { id: 1 } }],
    ['no scope', 'bad-key', { scope: undefined }],
    ['no footprint', 'bad-key', { footprint: undefined }],
    [
      'a hand-made footprint with a bad key',
      'bad-key',
      { footprint: { ...good.footprint, eRead: [{ warp: 1, id: -1 }] } },
    ],
    ['a hand-made footprint with a bad mask', 'bad-mask', { footprint: { ...good.footprint, factorMask: -1n } }],
    ['a scope in another warp than the writes', 'warp-mismatch', { scope: key(1, 2) }],
    ['a scope whose warp is the text of the number', 'warp-mismatch', { scope: key(1, '1') }],
  ];

  test.each(cases)('%s: %s', (_, code, wrong) => {
    const scheduler = createRewriteScheduler();
    const bad = { ...good, ...wrong } as PendingRewrite;
    const wanted = expect.objectContaining({ name: 'RewriteInputError', code });
    expect(() => scheduler.enqueue(1, bad)).toThrow(wanted);
    expect(() => scheduler.reserve(1, bad)).toThrow(wanted);
    expect(() => scheduler.explain(1, bad)).toThrow(wanted);
    expect(() => scheduler.reserveMany(1, [good, bad])).toThrow(wanted);
    expect(bad.phase).toBe('matched');
    expect(scheduler.drainForTx(1)).toEqual([]);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 0, conflicts: 0 });
  });

  test.each([
    ['nWrite', { nWrite: [key(1), key(1, 2)] }],
    ['eWrite', { eWrite: [key(1, 2)] }],
    ['aWrite', { aWrite: [{ owner: 'node' as const, warp: 2, id: 1, plane: 'alpha' as const }] }],
    ['bIn', { nWrite: [key(1)], bIn: [{ warp: 2, port: 1 }] }],
    ['bOut', { bOut: [{ warp: 2, port: 1 }] }],
  ])('a key in %s outside the warp of the scope is named', (set, sets) => {
    expect(() => createRewriteScheduler().reserve(1, rewrite(sets))).toThrow(
      expect.objectContaining({
        code: 'warp-mismatch',
        details: expect.objectContaining({ field: `footprint.${set}`, value: expect.objectContaining({ warp: 2 }) }),
      }),
    );
  });

  test('reads may cross warps', () => {
    const crossing = rewrite({
      nWrite: [key(1)],
      nRead: [key(1, 2)],
      eRead: [key(1, bytes32(1))],
      aRead: [{ owner: 'edge', warp: 'far', id: 1, plane: 'beta' }],
    });
    expect(createRewriteScheduler().reserve(1, crossing)).toBe(true);
  });

  test('the warp of the scope is compared by value', () => {
    const crossing = rewrite({ nWrite: [key(1, bytes32(4))] }, { scope: key(1, bytes32(4)) });
    expect(createRewriteScheduler().reserve(1, crossing)).toBe(true);
  });

  test.each([[1.5], [Number.NaN], ['1'], [undefined], [2 ** 53]])('a transaction id of %s is refused', (tx) => {
    const scheduler = createRewriteScheduler();
    const wanted = expect.objectContaining({ code: 'bad-argument' });
    const id = tx as number;
    for (const call of [
      () => scheduler.enqueue(id, writes(1)),
      () => scheduler.drainForTx(id),
      () => scheduler.reserve(id, writes(1)),
      () => scheduler.reserveMany(id, []),
      () => scheduler.explain(id, writes(1)),
      () => scheduler.savepoint(id),
      () => scheduler.finalizeTx(id),
    ]) {
      expect(call).toThrow(wanted);
    }
  });

  test.each([[{ kind: 'fast' }], [{ explain: 'some' }], [{ explain: null }]])('options %o are refused', (options) => {
    expect(() => createRewriteScheduler(options as never)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});
