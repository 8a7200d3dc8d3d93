import type { Handler } from 'horae/ring';
import type { Clock, Random } from 'horae/time';
import type { handlerNames } from '../../wire/ring.js';

/** The handlers of the demo's executors. */
export function ringHandlers(clock: Clock, random: Random): Record<(typeof handlerNames)[number], Handler> {
  return {
    blink: ({ log }) => {
      log('on, off');
      return 'blinked';
    },
    async measure({ log, signal }) {
      await clock.sleepFor(200 + random.below(400), { signal });
      const level = (2 + random.below(200) / 100).toFixed(2);
      log(`level ${level} m`);
      return `${level} m`;
    },
    async flaky({ log, signal, attempt }) {
      await clock.sleepFor(300, { signal });
      if (random.below(3) === 0) {
        log(`attempt ${attempt}: no steam`);
        throw new Error('no steam');
      }
      return 'heard';
    },
    async load({ log, signal }) {
      const boxes = 4 + random.below(5);
      for (let box = 1; box <= boxes; box++) {
        await clock.sleepFor(1_000, { signal });
        log(`container ${box} of ${boxes}`);
      }
      return `${boxes} containers`;
    },
    async sweep({ log, signal, shardIndex, shardTotal }) {
      await clock.sleepFor(500 + random.below(1_500), { signal });
      log(`part ${shardIndex + 1} of ${shardTotal}`);
      return 'swept';
    },
    echo({ log, params }) {
      const text = typeof params === 'string' ? params : JSON.stringify(params);
      log(text);
      return text;
    },
  };
}
