import { describe, expect, test } from 'vitest';
import {
  createRewriteScheduler,
  decodeReceipt,
  encodeReceipt,
  footprint,
  type Receipt,
  type ReceiptEntry,
  receipt,
  verifyReceipt,
} from '../../src/index.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

const at = (first: number) => ({ scopeHash: bytes32(first), compactRule: first });
const candidates = [
  rewrite({ nWrite: [key('a')] }, at(1)),
  rewrite({ nRead: [key(7)], eWrite: [key(bytes32(9))] }, { ...at(2), ruleId: bytes32(77) }),
  rewrite({ nWrite: [key('a'), key(7)] }, at(3)),
  rewrite({ bIn: [{ warp: 1, port: 2n ** 63n }] }, at(4)),
];
const made = receipt(createRewriteScheduler().reserveMany(1, candidates));

describe('a receipt', () => {
  test('records decisions, and blockers as ascending indices', () => {
    expect(made.entries.map(({ accepted, blockedBy }) => ({ accepted, blockedBy }))).toEqual([
      { accepted: true, blockedBy: [] },
      { accepted: true, blockedBy: [] },
      { accepted: false, blockedBy: [0, 1] },
      { accepted: true, blockedBy: [] },
    ]);
    expect(made.entries[1]!.ruleId).toEqual(bytes32(77));
    expect('ruleId' in made.entries[0]!).toBe(false);
  });

  test('is the same bytes in every process', () => {
    const { plan, decisions, accepted } = made.digests;
    expect([plan, decisions, accepted].map((digest) => Buffer.from(digest).toString('hex'))).toEqual([
      'fed146947048b270ba0f0f1eab326bf267972f0771445287aa50d104fb9386af',
      '6dd19097f38e2eb86ec36738f6721ad7da1bd1c00944e71947a6b0107c8a077e',
      'd1e53d95ede7ee4172755aca42252a6688297ffe347eecb8ad6bebe3847f11fd',
    ]);
    expect(Buffer.from(encodeReceipt(made)).subarray(0, 12).toString('hex')).toBe('485252430000000100000004');
  });

  const altered = (change: Partial<Receipt>): Receipt => ({ ...made, ...change });
  const withEntry = (index: number, change: Partial<ReceiptEntry>): Receipt =>
    altered({ entries: made.entries.map((entry, each) => (each === index ? { ...entry, ...change } : entry)) });
  const tampered: [string, number | null, Receipt][] = [
    ['another version', null, altered({ version: 2 })],
    ['a missing entry', null, altered({ entries: made.entries.slice(0, -1) })],
    ['an added entry', null, altered({ entries: [...made.entries, made.entries[0]!] })],
    ['another scope hash', 0, withEntry(0, { scopeHash: bytes32(200) })],
    ['another rule', 1, withEntry(1, { compactRule: 9 })],
    ['another rule id', 1, withEntry(1, { ruleId: bytes32(78) })],
    ['a rule id taken away', 1, withEntry(1, { ruleId: undefined })],
    ['a rule id put on', 0, withEntry(0, { ruleId: bytes32(1) })],
    ['a refusal turned into acceptance', 2, withEntry(2, { accepted: true, blockedBy: [] })],
    ['an acceptance turned into refusal', 0, withEntry(0, { accepted: false })],
    ['a blocker left out', 2, withEntry(2, { blockedBy: [1] })],
    ['a blocker that blocks nothing', 3, withEntry(3, { blockedBy: [0] })],
    ['a blocker out of range', null, withEntry(2, { blockedBy: [0, 1, 2] })],
    ['blockers out of order', null, withEntry(2, { blockedBy: [1, 0] })],
    ['another plan digest', null, altered({ digests: { ...made.digests, plan: bytes32(1) } })],
    ['another decisions digest', null, altered({ digests: { ...made.digests, decisions: bytes32(1) } })],
    ['another accepted digest', null, altered({ digests: { ...made.digests, accepted: bytes32(1) } })],
    ['a short digest', null, altered({ digests: { ...made.digests, accepted: new Uint8Array(31) } })],
    ['no digests', null, altered({ digests: undefined as never })],
  ];

  test.each(tampered)('with %s is refused', (_, entry, receiptToCheck) => {
    const verdict = verifyReceipt(receiptToCheck, candidates);
    expect(verdict.valid).toBe(false);
    const problems = verdict.valid ? [] : verdict.problems;
    expect(problems.map((problem) => problem.entry)).toContain(entry);
  });

  test('does not fit other candidates, not even ones that differ only in their footprint', () => {
    const other = [
      ...candidates.slice(0, 3),
      { ...candidates[3]!, footprint: footprint({ bIn: [{ warp: 1, port: 3 }] }) },
    ];
    expect(verifyReceipt(made, other)).toMatchObject({ valid: false });
    expect(verifyReceipt(made, candidates.toReversed())).toMatchObject({ valid: false });
    expect(verifyReceipt(made, candidates)).toEqual({ valid: true });
  });

  test('of nothing is valid for nothing', () => {
    const empty = receipt({ reserved: 0, conflicts: 0, entries: [] });
    expect(verifyReceipt(empty, [])).toEqual({ valid: true });
    expect(decodeReceipt(encodeReceipt(empty))).toEqual(empty);
  });

  test('of a batch that met earlier holdings cannot be derived from the candidates, and verification says so', () => {
    const scheduler = createRewriteScheduler();
    scheduler.reserve(1, rewrite({ nWrite: [key('a')] }));
    const later = receipt(scheduler.reserveMany(1, candidates));
    expect(later.entries[0]).toMatchObject({ accepted: false, blockedBy: [] });
    expect(verifyReceipt(later, candidates)).toMatchObject({
      valid: false,
      problems: expect.arrayContaining([{ entry: 0, problem: expect.any(String) }]),
    });
  });

  test.each([
    ['a text', 'receipt'],
    ['no bytes', new Uint8Array(0)],
    ['other bytes', new Uint8Array(200)],
    ['a count that cannot be true', Uint8Array.of(0x48, 0x52, 0x52, 0x43, 0, 0, 0, 1, 255, 255, 255, 255)],
  ])('is not read from %s', (_, bytes) => {
    expect(() => decodeReceipt(bytes as Uint8Array)).toThrow(expect.objectContaining({ code: 'bad-receipt' }));
  });

  test('that is malformed is not written', () => {
    expect(() => encodeReceipt(withEntry(0, { compactRule: -1 }))).toThrow(
      expect.objectContaining({ code: 'bad-receipt' }),
    );
    expect(() => encodeReceipt(undefined as never)).toThrow(expect.objectContaining({ code: 'bad-receipt' }));
  });
});
