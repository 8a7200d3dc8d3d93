import { createRing, type RingEntry } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';

const COUNT = 100_000;

/** `COUNT` entries over five seconds, pushed and drained second by second. */
function entries(): RingEntry[] {
  return Array.from({ length: COUNT }, (_, i) => ({ jobId: i, scheduleTime: 1_800_000_000_000 + (i % 5) * 1_000 }));
}

export default [
  defineBench({
    name: 'time-ring/ring',
    about: 'One entry pushed and drained; the peer is an array sorted at every drain, with a set of keys.',
    ours: 'time-ring',
    contenders: {
      'time-ring': {
        setup: entries,
        run(all: RingEntry[]) {
          const ring = createRing();
          for (const entry of all) ring.push(entry);
          let drained = 0;
          for (let second = 0; second < 5; second++)
            drained += ring.drain(1_800_000_000_000 + second * 1_000).due.length;
          return drained;
        },
        operations: COUNT,
      },
      'sorted array': {
        setup: entries,
        run(all: RingEntry[]) {
          let waiting: RingEntry[] = [];
          const keys = new Set<string>();
          for (const entry of all) {
            const key = `${entry.jobId}:${entry.scheduleTime}`;
            if (keys.has(key)) continue;
            keys.add(key);
            waiting.push(entry);
          }
          let drained = 0;
          for (let second = 0; second < 5; second++) {
            waiting.sort((a, b) => a.scheduleTime - b.scheduleTime || a.jobId - b.jobId);
            const now = 1_800_000_000_000 + second * 1_000;
            const later = waiting.filter(({ scheduleTime }) => scheduleTime > now);
            drained += waiting.length - later.length;
            waiting = later;
          }
          return drained;
        },
        operations: COUNT,
      },
    },
    wanted: [{ atMost: 200 }],
  }),
];
