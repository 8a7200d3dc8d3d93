import { describe, expect, test } from 'vitest';
import { type Id, planWaves, runWaves, type Wave, type WaveTask } from '../../src/index.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

const MODULE = new URL('../support/wave-module.mjs', import.meta.url);
const ECHO = new URL('../support/echo-module.mjs', import.meta.url);
const ruleIdOf = (at: number) => (at % 3 === 0 ? { ruleId: bytes32(at) } : {});

/** Twelve rewrites in three waves: the writers of each of four keys follow each other. */
function twelve(): Wave[] {
  return planWaves(
    Array.from({ length: 12 }, (_, at) =>
      rewrite({ nWrite: [key(at % 4)] }, { scopeHash: bytes32(at), compactRule: at, ruleId: bytes32(at) }),
    ),
  );
}

describe('planWaves', () => {
  test('of nothing is nothing', () => expect(planWaves([])).toEqual([]));

  test('puts a rewrite behind the highest earlier one it conflicts with, and no further', () => {
    const at = (first: number) => ({ scopeHash: bytes32(first) });
    const [a, b, c, d, e] = [
      rewrite({ nWrite: [key(1)] }, at(1)),
      rewrite({ nRead: [key(1)] }, at(2)),
      rewrite({ nRead: [key(1)], nWrite: [key(2)] }, at(3)),
      rewrite({ nWrite: [key(1)] }, at(4)),
      rewrite({ nWrite: [key(9)] }, at(5)),
    ];
    expect(planWaves([e!, d!, c!, b!, a!])).toEqual([[a, e], [b, c], [d]]);
  });

  test('ties are broken by rule and then by position; nothing is dropped', () => {
    const twins = [1, 2].map(() => rewrite({ nWrite: [key(1)] }, { scopeHash: bytes32(1), compactRule: 5 }));
    const before = rewrite({ nWrite: [key(1)] }, { scopeHash: bytes32(1), compactRule: 4 });
    const waves = planWaves([twins[0]!, twins[1]!, before]);
    expect(waves.flat().map((each) => [before, ...twins].indexOf(each))).toEqual([0, 1, 2]);
    expect(waves).toHaveLength(3);
  });

  test('checks its input', () => {
    expect(() => planWaves([rewrite({}, { compactRule: -1 })])).toThrow(expect.objectContaining({ code: 'bad-rule' }));
  });
});

describe('runWaves on this thread', () => {
  test('gives results in the order of waves.flat() and starts a wave when the one before has ended', async () => {
    const waves = twelve();
    const log: string[] = [];
    const results = await runWaves(waves, async (task) => {
      log.push(`start ${task.wave}`);
      for (let turn = 0; turn < (12 - task.index) * 3; turn++) await Promise.resolve();
      log.push(`end ${task.wave}`);
      return task.index;
    });
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(log.indexOf('start 1')).toBeGreaterThan(log.lastIndexOf('end 0'));
    expect(log.indexOf('start 2')).toBeGreaterThan(log.lastIndexOf('end 1'));
  });

  test('hands over what a task needs and nothing else', async () => {
    const tasks = await runWaves([[rewrite({}, { scopeHash: bytes32(3), compactRule: 8 })]], (task: WaveTask) => task);
    expect(tasks).toEqual([{ wave: 0, index: 0, scopeHash: bytes32(3), compactRule: 8, scope: key(0) }]);
    expect('ruleId' in tasks[0]!).toBe(false);
  });

  test('passes the shared memory', async () => {
    const shared = new SharedArrayBuffer(4);
    expect(await runWaves(twelve().slice(0, 1), (_, memory) => memory === shared, { shared })).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test('a failure lets its wave end, begins no other, and the first in order is told', async () => {
    const performed: number[] = [];
    const run = runWaves(twelve(), ({ index }) => {
      performed.push(index);
      if (index === 3) throw new Error('third');
      return index === 1 ? Promise.reject(new Error('first')) : index;
    });
    await expect(run).rejects.toThrow('first');
    expect(performed).toEqual([0, 1, 2, 3]);
  });

  test('takes a module as well', async () => {
    const shared = new SharedArrayBuffer(4);
    expect(await runWaves(twelve(), MODULE, { shared })).toHaveLength(12);
    expect(new Int32Array(shared)[0]).toBe(12);
  });

  test('of nothing is nothing', async () => {
    expect(await runWaves([], MODULE, { workers: 2 })).toEqual([]);
    expect(await runWaves([[]], () => 1)).toEqual([]);
  });
});

describe('runWaves on worker threads', () => {
  test.each([1, 2, 5])('%i workers give the results of this thread', async (workers) => {
    const waves = twelve();
    const here = await runWaves(waves, MODULE, { shared: new SharedArrayBuffer(4) });
    const shared = new SharedArrayBuffer(4);
    expect(await runWaves(waves, MODULE, { workers, shared })).toEqual(here);
    expect(new Int32Array(shared)[0]).toBe(12);
  });

  test('every form of warp, id and rule id arrives at a thread as it is here', async () => {
    const forms: Id[] = [7, 0xffff_ffff, 'text', '', bytes32(9), bytes32(9, 1)];
    const pairs = forms.flatMap((warp) => forms.map((id) => ({ warp, id })));
    const wave = pairs.map((scope, at) =>
      rewrite({}, { scope, scopeHash: bytes32(at, 255), compactRule: 0xffff_ffff - at, ...ruleIdOf(at) }),
    );
    const here = await runWaves([wave, wave], (task: WaveTask) => task);
    expect(await runWaves([wave, wave], ECHO, { workers: 2 })).toEqual(here);
    expect(here.map((task) => 'ruleId' in task)).toContain(true);
    expect(here.map((task) => 'ruleId' in task)).toContain(false);
  });

  const failing = (id: string) =>
    twelve().map((wave) => wave.map((each) => ({ ...each, scope: each.compactRule === 2 ? key(id) : each.scope })));

  test('a failure of the function is told', async () => {
    const run = runWaves(failing('fail'), MODULE, { workers: 2, shared: new SharedArrayBuffer(4) });
    await expect(run).rejects.toThrow('task 2 fails');
  });

  test('a thread that ends is told', async () => {
    const run = runWaves(failing('exit'), MODULE, { workers: 2, shared: new SharedArrayBuffer(4) });
    await expect(run).rejects.toMatchObject({ code: 'wave-worker-failed' });
  });

  test('a result that cannot leave its thread is told', async () => {
    const run = runWaves(failing('uncloneable'), MODULE, { workers: 1, shared: new SharedArrayBuffer(4) });
    await expect(run).rejects.toThrow(/could not be cloned/);
  });

  test.each(['../support/not-a-wave-module.mjs', '../support/missing.mjs'])('%s is told', async (path) => {
    const run = runWaves(twelve(), new URL(path, import.meta.url), { workers: 2 });
    await expect(run).rejects.toMatchObject({ code: 'wave-worker-failed' });
  });

  test('a function cannot go to another thread', async () => {
    await expect(runWaves(twelve(), () => 1, { workers: 1 })).rejects.toMatchObject({ code: 'bad-argument' });
  });

  test.each([[-1], [1.5], [257]])('%s workers are refused', async (workers) => {
    await expect(runWaves([], MODULE, { workers })).rejects.toMatchObject({ code: 'bad-argument' });
  });
});
