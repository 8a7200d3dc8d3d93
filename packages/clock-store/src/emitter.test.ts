import { expect, test, vi } from 'vitest';
import { createEmitter } from './emitter.js';

interface Events {
  tick: number;
  note: { text: string };
}

test('listeners hear their event in the order in which they were added', () => {
  const emitter = createEmitter<Events>();
  const heard: string[] = [];
  emitter.on('tick', (n) => heard.push(`first ${n}`));
  emitter.on('tick', (n) => heard.push(`second ${n}`));
  emitter.on('note', ({ text }) => heard.push(text));
  emitter.emit('tick', 1);
  emitter.emit('note', { text: 'hello' });
  expect(heard).toEqual(['first 1', 'second 1', 'hello']);
});

test('emitting without listeners is fine', () => {
  expect(() => createEmitter<Events>().emit('tick', 1)).not.toThrow();
});

test('the remover removes its own registration, once', () => {
  const emitter = createEmitter<Events>();
  const heard: number[] = [];
  const listener = (n: number) => heard.push(n);
  const removeFirst = emitter.on('tick', listener);
  emitter.on('tick', listener);
  removeFirst();
  removeFirst();
  emitter.emit('tick', 1);
  expect(heard).toEqual([1]);
});

test('a listener removed during an event is not called any more; one added hears the next', () => {
  const emitter = createEmitter<Events>();
  const heard: string[] = [];
  emitter.on('tick', () => {
    heard.push('first');
    removeSecond();
    if (heard.length === 1) emitter.on('tick', () => heard.push('third'));
  });
  const removeSecond = emitter.on('tick', () => heard.push('second'));
  emitter.emit('tick', 1);
  expect(heard).toEqual(['first']);
  emitter.emit('tick', 2);
  expect(heard).toEqual(['first', 'first', 'third']);
});

test('a throwing listener and a rejecting one stop nobody and are reported', async () => {
  const failures: unknown[] = [];
  const emitter = createEmitter<Events>({ onListenerError: (error, name) => failures.push([name, String(error)]) });
  const heard: number[] = [];
  emitter.on('tick', () => {
    throw new Error('sync');
  });
  emitter.on('tick', async () => {
    throw new Error('async');
  });
  emitter.on('tick', (n) => heard.push(n));
  emitter.emit('tick', 1);
  await Promise.resolve();
  expect(heard).toEqual([1]);
  expect(failures).toEqual([
    ['tick', 'Error: sync'],
    ['tick', 'Error: async'],
  ]);
});

test('without a reporter a failing listener becomes a warning of the process', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const emitter = createEmitter<Events>();
  emitter.on('tick', () => {
    throw new Error('unheard');
  });
  emitter.emit('tick', 1);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('unheard'), 'HoraeListenerWarning');
  warn.mockRestore();
});

test('an event emitted by a listener is delivered at once, to everybody', () => {
  const emitter = createEmitter<Events>();
  const heard: string[] = [];
  emitter.on('tick', (n) => {
    if (n === 1) emitter.emit('tick', 2);
    heard.push(`a${n}`);
  });
  emitter.on('tick', (n) => heard.push(`b${n}`));
  emitter.emit('tick', 1);
  expect(heard).toEqual(['a2', 'b2', 'a1', 'b1']);
});

test('nothing is left of listeners that were removed, and thousands may be there at once', () => {
  const emitter = createEmitter<Events>();
  for (let round = 0; round < 3; round++) {
    const removers = Array.from({ length: 2_000 }, () => emitter.on('tick', () => {}));
    expect(emitter.listenerCount('tick')).toBe(2_000);
    for (const remove of removers) remove();
    expect(emitter.listenerCount('tick')).toBe(0);
  }
});
