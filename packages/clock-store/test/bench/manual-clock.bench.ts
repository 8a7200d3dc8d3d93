import { createManualClock } from '@horae/clock-store/testing';
import { defineBench } from '@horae-tooling/bench';

const SLEEPERS = 1_000_000;

export default [
  defineBench({
    name: 'clock/manual/million-sleepers',
    about:
      'One sample: 1,000,000 sleeps are begun and the clock is advanced past all of them, promises settling in between.',
    ours: 'manual clock',
    unit: 'ms',
    contenders: {
      'manual clock': {
        async sample() {
          const clock = createManualClock({ now: 0 });
          const startMs = performance.now();
          let woken = 0;
          for (let index = 0; index < SLEEPERS; index++) {
            clock.sleepUntil(1 + ((index * 7_919) % SLEEPERS)).then(() => {
              woken += 1;
            });
          }
          await clock.advanceTo(SLEEPERS);
          if (woken !== SLEEPERS) throw new Error(`only ${woken} woke up`);
          return performance.now() - startMs;
        },
      },
    },
    wanted: [{ atMost: 30_000 }],
  }),
];
