import { expect, test } from 'vitest';
import { createRewriteScheduler } from '../../src/index.js';
import { bytes32, rewrite } from '../support/rewrites.js';

test('the drain is by scope hash, then rule, both unsigned, and gives back the very objects', () => {
  const scheduler = createRewriteScheduler();
  const ordered = [
    rewrite({}, { scopeHash: bytes32(0), compactRule: 0x80000000 }),
    rewrite({}, { scopeHash: bytes32(0, 0, 0, 0, 1), compactRule: 0 }),
    rewrite({}, { scopeHash: bytes32(0x7f, 0xff), compactRule: 0 }),
    rewrite({}, { scopeHash: bytes32(0x80), compactRule: 1 }),
    rewrite({}, { scopeHash: bytes32(0x80), compactRule: 0x7fffffff }),
    rewrite({}, { scopeHash: bytes32(0x80), compactRule: 0x80000000 }),
    rewrite({}, { scopeHash: bytes32(0x80), compactRule: 0xffffffff }),
    rewrite({}, { scopeHash: bytes32(0xff), compactRule: 0 }),
  ];
  for (const each of ordered.toReversed()) scheduler.enqueue(1, each);
  const drained = scheduler.drainForTx(1);
  expect(drained).toHaveLength(ordered.length);
  for (const [at, each] of drained.entries()) expect(each).toBe(ordered[at]);
});

test('of the same scope hash and rule the last one wins', () => {
  const scheduler = createRewriteScheduler();
  const twins = [1, 2, 3].map(() => rewrite({}, { scopeHash: bytes32(5), compactRule: 5 }));
  const other = rewrite({}, { scopeHash: bytes32(5), compactRule: 6 });
  for (const each of [twins[0]!, other, twins[1]!, twins[2]!]) scheduler.enqueue(1, each);
  const drained = scheduler.drainForTx(1);
  expect(drained).toHaveLength(2);
  expect(drained[0]).toBe(twins[2]);
  expect(drained[1]).toBe(other);
});

test('a drain empties the queue of its transaction only; an unknown one is empty', () => {
  const scheduler = createRewriteScheduler();
  const [mine, yours] = [rewrite(), rewrite()];
  scheduler.enqueue(1, mine);
  scheduler.enqueue(2, yours);
  expect(scheduler.drainForTx(3)).toEqual([]);
  expect(scheduler.drainForTx(1)).toEqual([mine]);
  expect(scheduler.drainForTx(1)).toEqual([]);
  scheduler.enqueue(1, yours);
  expect(scheduler.drainForTx(1)).toEqual([yours]);
  expect(scheduler.drainForTx(2)).toEqual([yours]);
});

test('what happens to a hash after enqueue does not change the order', () => {
  const scheduler = createRewriteScheduler();
  const reused = bytes32(1);
  const [low, high] = [rewrite({}, { scopeHash: reused }), rewrite({}, { scopeHash: bytes32(2) })];
  scheduler.enqueue(1, low);
  scheduler.enqueue(1, high);
  reused[0] = 9;
  expect(scheduler.drainForTx(1)).toEqual([low, high]);
});

test('enqueue and drain leave the phase alone', () => {
  const scheduler = createRewriteScheduler();
  const waiting = rewrite();
  scheduler.enqueue(1, waiting);
  scheduler.drainForTx(1);
  expect(waiting.phase).toBe('matched');
});
