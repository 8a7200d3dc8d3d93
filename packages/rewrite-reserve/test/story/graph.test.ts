import { describe, expect, test } from 'vitest';
import { createRewritePool, type GraphOptions, type GraphTask, keys, runGraph } from '../../src/index.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

const MODULE = new URL('../support/graph-module.mjs', import.meta.url);
const ECHO = new URL('../support/echo-module.mjs', import.meta.url);
const at = (first: number, compactRule = first) => ({ scopeHash: bytes32(first), compactRule });
const writing = (id: number, first: number, more: object = {}) =>
  rewrite({ nWrite: [key(id)] }, { ...at(first), ...more });

describe('runGraph', () => {
  test('of nothing is nothing', async () => {
    expect(await runGraph([], () => 1)).toEqual({ rewrites: [], results: [] });
    expect(await runGraph([], MODULE, { workers: 2 })).toEqual({ rewrites: [], results: [] });
  });

  test('starts a rewrite when its own predecessors have ended, without waiting for a whole wave', async () => {
    const log: string[] = [];
    let endSlow = () => {};
    const slow = new Promise<void>((end) => {
      endSlow = end;
    });
    const rewrites = [writing(1, 1), writing(2, 2), writing(2, 3), writing(1, 4)];
    const run = runGraph(rewrites, async ({ index }) => {
      log.push(`start ${index}`);
      if (index === 0) await slow;
      if (index === 2) endSlow();
      log.push(`end ${index}`);
      return index * 10;
    });
    // Rewrite 2 is of the second wave and runs while rewrite 0 of the first does; with a barrier this would never end.
    expect((await run).results).toEqual([0, 10, 20, 30]);
    expect(log.indexOf('start 2')).toBeLessThan(log.indexOf('end 0'));
    expect(log.indexOf('start 3')).toBeGreaterThan(log.indexOf('end 0'));
  });

  test('hands over what a task needs and nothing else', async () => {
    const payload = { text: 'x' };
    const scope = keys(1).node(['doc', 4]);
    const rewrites = [rewrite({}, { ...at(2, 8), payload, scope }), rewrite({}, { ...at(1), ruleId: bytes32(7) })];
    const { results } = await runGraph(rewrites, (task: GraphTask) => task);
    const wanted = [
      { index: 0, ...at(1), ruleId: bytes32(7), scope: key(0) },
      { index: 1, ...at(2, 8), scope, payload },
    ];
    expect(results).toStrictEqual(wanted);
    expect(results[1]!.payload).toBe(payload);
    expect((await runGraph(rewrites, ECHO, { workers: 2 })).results).toEqual(wanted);
  });

  test('shares the memory that a payload has in it', async () => {
    const cells = new SharedArrayBuffer(4);
    const rewrites = [rewrite({}, { ...at(1), payload: { cells } })];
    const { results } = await runGraph<GraphTask>(rewrites, ECHO, { workers: 1 });
    new Int32Array(cells)[0] = 77;
    expect(new Int32Array((results[0]!.payload as { cells: SharedArrayBuffer }).cells)[0]).toBe(77);
  });

  test('refuses a payload that cannot be cloned, by name, before anything runs', async () => {
    const shared = new SharedArrayBuffer(4);
    const rewrites = [writing(1, 1, { payload: { cells: [0] } }), writing(2, 2, { payload: { call: () => 1 } })];
    await expect(runGraph(rewrites, MODULE, { workers: 2, shared })).rejects.toMatchObject({
      code: 'bad-argument',
      details: { field: 'payload' },
    });
    expect(new Int32Array(shared)[0]).toBe(0);
  });

  test('checks its input', async () => {
    await expect(runGraph([rewrite({}, { compactRule: -1 })], () => 1)).rejects.toMatchObject({ code: 'bad-rule' });
    await expect(runGraph([], () => 1, { workers: 1 })).rejects.toMatchObject({ code: 'bad-argument' });
    const misspelt = { befor: { 7: [9] } } as never;
    const unknown = { code: 'bad-argument', details: { field: 'befor', nearest: 'before' } };
    await expect(runGraph([], () => 1, misspelt)).rejects.toMatchObject(unknown);
    await expect(runGraph([], () => 1, null as never)).rejects.toMatchObject({ code: 'bad-argument' });
    await expect(runGraph([], MODULE, { workers: 257 })).rejects.toMatchObject({ code: 'bad-argument' });
    await expect(runGraph([], () => 1, { before: { 7: [-1] } })).rejects.toMatchObject({ code: 'bad-rule' });
    await expect(runGraph([], () => 1, { after: { x: [1] } as never })).rejects.toMatchObject({ code: 'bad-rule' });
    await expect(runGraph([], () => 1, { before: { 7: 9 } as never })).rejects.toMatchObject({ code: 'bad-rule' });
  });
});

describe('a failure in a graph', () => {
  // 0 fails; 2 follows from it, 4 from 2; 1 and 3 are on their own and 3 fails too.
  const five = (payloads: Record<number, object>) =>
    [1, 2, 1, 3, 1].map((id, order) => writing(id, order + 1, { payload: payloads[order] ?? {} }));

  test('keeps what follows from it from starting, lets the rest end, and is the first in serial order', async () => {
    const started: number[] = [];
    const run = runGraph(five({ 0: {}, 3: {} }), async ({ index }) => {
      started.push(index);
      if (index === 0) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        throw new Error('first');
      }
      if (index === 3) throw new Error('second');
    });
    await expect(run).rejects.toThrow('first');
    expect(started).toEqual([0, 1, 3]);
  });

  test('is the first in serial order, not in canonical order', async () => {
    const run = runGraph([writing(1, 1), writing(2, 2)], ({ index }) => Promise.reject(new Error(`task ${index}`)), {
      after: { 1: [2] },
    });
    await expect(run).rejects.toThrow('task 1');
  });

  test('is the same on threads', async () => {
    const shared = new SharedArrayBuffer(16);
    const rewrites = five({
      0: { fail: true },
      1: { cells: [1] },
      2: { cells: [0] },
      3: { fail: true },
      4: { cells: [0] },
    });
    await expect(runGraph(rewrites, MODULE, { workers: 2, shared })).rejects.toThrow('task 0 fails');
    expect([...new Int32Array(shared)].map((cell) => cell !== 0)).toEqual([false, true, false, false]);
  });

  test('of a thread that ends, or of a result that cannot leave it, is told', async () => {
    await expect(runGraph(five({ 2: { exit: true } }), MODULE, { workers: 2 })).rejects.toMatchObject({
      code: 'wave-worker-failed',
    });
    await expect(runGraph(five({ 1: { uncloneable: true } }), MODULE, { workers: 2 })).rejects.toThrow(/cloned/);
  });
});

describe('rules', () => {
  const rules = [9, 7, 8, 7].map((rule, order) => rewrite({}, at(order + 1, rule)));
  const orderOf = async (options: object) => {
    const called: number[] = [];
    await runGraph(rules, ({ compactRule }) => void called.push(compactRule), options);
    return called;
  };

  test('go in canonical order unless something is said', async () => expect(await orderOf({})).toEqual([9, 7, 8, 7]));

  test.each([
    ['before', { before: { 7: [9] } }],
    ['after', { after: { 9: [7] } }],
  ])('wait for all rewrites of the earlier rule (%s)', async (_, options) => {
    expect(await orderOf(options)).toEqual([7, 8, 7, 9]);
  });

  test('are ordered across a rule that has no rewrites', async () => {
    expect(await orderOf({ before: { 7: [5], 5: [9] } })).toEqual([7, 8, 7, 9]);
  });

  test('wait also while their rewrites would not conflict', async () => {
    const log: string[] = [];
    await runGraph(
      rules,
      async ({ compactRule }) => {
        log.push(`start ${compactRule}`);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        log.push(`end ${compactRule}`);
      },
      { before: { 7: [9] } },
    );
    expect(log.indexOf('start 9')).toBeGreaterThan(log.lastIndexOf('end 7'));
    expect(log.indexOf('start 8')).toBeLessThan(log.indexOf('end 7'));
  });

  test.each<{ options: GraphOptions; cycle: number[] }>([
    { options: { before: { 7: [7] } }, cycle: [7] },
    { options: { before: { 9: [7] }, after: { 9: [7] } }, cycle: [7, 9] },
    { options: { before: { 3: [1], 1: [2], 2: [3], 0: [1] } }, cycle: [1, 2, 3] },
  ])('are refused when cyclic: $cycle', async ({ options, cycle }) => {
    const error = await runGraph([], () => 1, options).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'cyclic-order', details: { cycle } });
    expect((error as Error).message).toContain([...cycle, cycle[0]].join(' before '));
  });
});

describe('a pool', () => {
  const pool = (options: object = {}) =>
    createRewritePool<Record<string, number>>({ workers: 2, execute: MODULE, ...options });
  const many = (count: number) => Array.from({ length: count }, (_, id) => writing(id, id % 200, { payload: {} }));

  test('sets every thread up once and keeps its threads between runs', async () => {
    const threads = await pool({ setup: { factor: 3 } });
    const runs = [await threads.run(many(300)), await threads.run(many(300))];
    const results = runs.flatMap((run) => run.results);
    expect(results.every(({ prepared, factor }) => prepared === 1 && factor === 3)).toBe(true);
    expect(new Set(results.map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(2);
    await threads.stop();
  });

  test('runs what is called at the same time one after the other', async () => {
    await using threads = await pool();
    const runs = await Promise.all([threads.run(many(50)), threads.run([]), threads.run(many(3))]);
    expect(runs.map((run) => run.results.length)).toEqual([50, 0, 3]);
  });

  test('survives a failed run', async () => {
    await using threads = await pool();
    await expect(threads.run([writing(1, 1, { payload: { fail: true } })])).rejects.toThrow('task 0 fails');
    expect((await threads.run(many(10))).results).toHaveLength(10);
  });

  test('stops twice, after the runs that were called before, and refuses to run then', async () => {
    const threads = await pool();
    const running = threads.run(many(100));
    await Promise.all([threads.stop(), threads.stop()]);
    expect((await running).results).toHaveLength(100);
    await threads[Symbol.asyncDispose]();
    await expect(threads.run([])).rejects.toMatchObject({ code: 'pool-stopped' });
  });

  test('refuses bad options and a module that cannot be set up', async () => {
    await expect(pool({ worker: 2 })).rejects.toMatchObject({ details: { field: 'worker', nearest: 'workers' } });
    await expect(pool({ workers: 0 })).rejects.toMatchObject({ code: 'bad-argument' });
    await expect(pool({ execute: () => 1 })).rejects.toMatchObject({ code: 'bad-argument' });
    await expect(pool({ setup: { fail: true } })).rejects.toMatchObject({ code: 'wave-worker-failed' });
    await expect(pool({ setup: () => 1 })).rejects.toMatchObject({ code: 'bad-argument', details: { field: 'setup' } });
  });

  test('whose thread has ended says so, at once and later, and can be stopped', async () => {
    const threads = await pool();
    const ended = { code: 'wave-worker-failed' };
    await expect(threads.run([writing(1, 1, { payload: { exit: true } }), ...many(5)])).rejects.toMatchObject(ended);
    await expect(threads.run(many(5))).rejects.toMatchObject(ended);
    await threads.stop();
  });
});
