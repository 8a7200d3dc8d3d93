import { EventEmitter } from 'node:events';
import { createEmitter } from '@horae/clock-store';
import { defineBench } from '@horae-tooling/bench';

const LISTENERS = 3;
const EMITS = 1_000;

/** What most programs would write themselves: a map of arrays, without isolation of failures. */
function plainEmitter() {
  const all = new Map<string, ((event: number) => void)[]>();
  return {
    on: (name: string, listener: (event: number) => void) => all.set(name, [...(all.get(name) ?? []), listener]),
    emit(name: string, event: number) {
      for (const listener of all.get(name)?.slice() ?? []) listener(event);
    },
  };
}

function contender(
  make: () => { on(name: 'tick', listener: (n: number) => void): unknown; emit(name: 'tick', n: number): unknown },
) {
  return {
    operations: EMITS,
    setup() {
      const emitter = make();
      const state = { emitter, sum: 0 };
      for (let index = 0; index < LISTENERS; index++) {
        emitter.on('tick', (n) => {
          state.sum += n;
        });
      }
      return state;
    },
    run(state: { emitter: ReturnType<typeof make>; sum: number }) {
      for (let index = 0; index < EMITS; index++) state.emitter.emit('tick', index);
      return state.sum;
    },
  };
}

export default [
  defineBench({
    name: 'clock/emitter/emit',
    about: 'One operation: an event to three listeners. Only ours keeps a failing listener from stopping the others.',
    ours: 'createEmitter',
    contenders: {
      createEmitter: contender(() => createEmitter<{ tick: number }>()),
      'node:events': contender(() => new EventEmitter() as never),
      'map of arrays': contender(plainEmitter as never),
    },
  }),
];
