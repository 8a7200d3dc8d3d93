import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.js';

function recorded() {
  const calls: string[] = [];
  const gates = { start: Promise.resolve(), stop: Promise.resolve() };
  const lifecycle = createLifecycle({
    async start(signal) {
      calls.push('start');
      signal.addEventListener('abort', () => calls.push('abort'), { once: true });
      await gates.start;
      calls.push('started');
    },
    async stop() {
      calls.push('stop');
      await gates.stop;
      calls.push('stopped');
    },
  });
  return { lifecycle, calls, gates };
}

function gate(): { promise: Promise<void>; open(): void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}

test('starts, stops and says where it stands', async () => {
  const { lifecycle, calls } = recorded();
  expect(lifecycle.state).toBe('idle');
  const starting = lifecycle.start();
  expect(lifecycle.state).toBe('starting');
  await starting;
  expect(lifecycle.state).toBe('running');
  const stopping = lifecycle.stop();
  expect(lifecycle.state).toBe('stopping');
  await stopping;
  expect(lifecycle.state).toBe('stopped');
  expect(calls).toEqual(['start', 'started', 'abort', 'stop', 'stopped']);
});

test('stop before start is fine, and twice is fine', async () => {
  const { lifecycle, calls } = recorded();
  await lifecycle.stop();
  await lifecycle.stop();
  expect(lifecycle.state).toBe('stopped');
  expect(calls).toEqual([]);
});

test('starting twice starts once', async () => {
  const { lifecycle, calls } = recorded();
  await Promise.all([lifecycle.start(), lifecycle.start()]);
  await lifecycle.start();
  expect(calls).toEqual(['start', 'started']);
});

test('concurrent stops are one, and all return when it is stopped', async () => {
  const { lifecycle, calls, gates } = recorded();
  const stopGate = gate();
  gates.stop = stopGate.promise;
  await lifecycle.start();
  const stops = [lifecycle.stop(), lifecycle.stop(), lifecycle[Symbol.asyncDispose]()];
  stopGate.open();
  await Promise.all(stops);
  expect(calls).toEqual(['start', 'started', 'abort', 'stop', 'stopped']);
});

test('a stop during the start aborts its signal, waits for it and then stops', async () => {
  const { lifecycle, calls, gates } = recorded();
  const startGate = gate();
  gates.start = startGate.promise;
  const starting = lifecycle.start();
  const stopping = lifecycle.stop();
  startGate.open();
  await Promise.all([starting, stopping]);
  expect(lifecycle.state).toBe('stopped');
  expect(calls).toEqual(['start', 'abort', 'started', 'stop', 'stopped']);
});

test('a start during the stop waits for it and starts anew', async () => {
  const { lifecycle, calls } = recorded();
  await lifecycle.start();
  const stopping = lifecycle.stop();
  await lifecycle.start();
  await stopping;
  expect(lifecycle.state).toBe('running');
  expect(calls).toEqual(['start', 'started', 'abort', 'stop', 'stopped', 'start', 'started']);
});

test('a failed start is thrown, needs no stop and may be tried again', async () => {
  let attempts = 0;
  let stops = 0;
  const lifecycle = createLifecycle({
    start() {
      attempts += 1;
      if (attempts === 1) throw new Error('no luck');
    },
    stop() {
      stops += 1;
    },
  });
  await expect(lifecycle.start()).rejects.toThrow('no luck');
  expect(lifecycle.state).toBe('stopped');
  await lifecycle.stop();
  expect(stops).toBe(0);
  await lifecycle.start();
  expect(lifecycle.state).toBe('running');
});

test('what the stop throws reaches everybody who asked for it, and it is stopped all the same', async () => {
  const lifecycle = createLifecycle({
    stop() {
      throw new Error('stuck');
    },
  });
  await lifecycle.start();
  const outcomes = await Promise.allSettled([lifecycle.stop(), lifecycle.stop()]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  expect(lifecycle.state).toBe('stopped');
  await lifecycle.stop();
});
