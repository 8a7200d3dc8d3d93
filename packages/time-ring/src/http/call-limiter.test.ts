import { expect, test } from 'vitest';
import { createCallLimiter } from './call-limiter.js';

function calls() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { started, end: (name: string) => ends.get(name)!(), call };
}

const settled = async () => {
  for (let hop = 0; hop < 20; hop++) await Promise.resolve();
};

test('an address has no more calls under way than its share, and the next begins when one ends', async () => {
  const limiter = createCallLimiter({ total: 10, perAddress: 2, waiting: 10 });
  const { started, end, call } = calls();
  for (const name of ['a', 'b', 'c', 'd']) void limiter.run('slow', call(name));
  void limiter.run('other', call('x'));
  await settled();
  expect(started).toEqual(['a', 'b', 'x']);
  end('b');
  await settled();
  expect(started).toEqual(['a', 'b', 'x', 'c']);
});

test('all addresses together have no more than the total, first come first served', async () => {
  const limiter = createCallLimiter({ total: 2, perAddress: 2, waiting: 10 });
  const { started, end, call } = calls();
  for (const name of ['a', 'b', 'c', 'd']) void limiter.run(`address ${name}`, call(name));
  await settled();
  expect(started).toEqual(['a', 'b']);
  end('a');
  await settled();
  end('b');
  await settled();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('more than may wait are turned away at once', async () => {
  const limiter = createCallLimiter({ total: 1, perAddress: 1, waiting: 1 });
  const { call } = calls();
  void limiter.run('a', call('1'));
  void limiter.run('a', call('2'));
  expect(await limiter.run('a', call('3'))).toBeNull();
});

test('a call that throws gives its place back', async () => {
  const limiter = createCallLimiter({ total: 1, perAddress: 1, waiting: 1 });
  await expect(limiter.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limiter.run('a', async () => 'yes')).toBe('yes');
});

test('whatever the order of ends, every call gets its turn', async () => {
  const limiter = createCallLimiter({ total: 3, perAddress: 2, waiting: 1_000 });
  const { started, end, call } = calls();
  const results: Promise<unknown>[] = [];
  for (let number = 0; number < 60; number++)
    results.push(limiter.run(`address ${number % 4}`, call(`call ${number}`)));
  const ended = new Set<string>();
  while (ended.size < 60) {
    await settled();
    const open = started.filter((name) => !ended.has(name));
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThanOrEqual(3);
    const name = open[(ended.size * 7) % open.length]!;
    ended.add(name);
    end(name);
  }
  expect(await Promise.all(results)).toHaveLength(60);
});
