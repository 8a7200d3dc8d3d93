import { seededRandom } from '@horae/clock-store';
import { defineBench } from '@horae-tooling/bench';
import FlatQueue from 'flatqueue';
import TinyQueue from 'tinyqueue';
import { MinuteCalendar } from '../../src/tables/minute-calendar.js';

const PENDING = 100_000;
const STEPS = 200_000;
const SPAN = 1_440;

/** Minutes after now at which what was taken is put back. */
function delays(): Uint16Array {
  const random = seededRandom('queue');
  return Uint16Array.from({ length: 1 << 16 }, () => 1 + random.below(SPAN));
}

interface CalendarState {
  calendar: MinuteCalendar;
  wait: Uint16Array;
  minute: number;
}

export default [
  defineBench({
    name: 'sim/queue/hold',
    about: 'Take the earliest of 100,000 pending items and put it back up to a day later; per item.',
    ours: 'minute calendar',
    contenders: {
      'minute calendar': {
        setup(): CalendarState {
          const wait = delays();
          const calendar = new MinuteCalendar();
          for (let item = 0; item < PENDING; item++) calendar.put(item, wait[item & 0xffff]!);
          return { calendar, wait, minute: 0 };
        },
        run(state: CalendarState) {
          const { calendar, wait } = state;
          let done = 0;
          while (done < STEPS) {
            const minute = calendar.nextMinute(state.minute);
            calendar.turnTo(minute);
            const count = calendar.take(minute);
            const { taken } = calendar;
            for (let i = 0; i < count; i++) calendar.put(taken[i]!, minute + wait[done++ & 0xffff]!);
            state.minute = minute;
          }
          return done;
        },
        operations: STEPS,
      },
      flatqueue: {
        setup() {
          const queue = new FlatQueue<number>();
          const wait = delays();
          for (let item = 0; item < PENDING; item++) queue.push(item, wait[item & 0xffff]!);
          return { queue, wait };
        },
        run({ queue, wait }: { queue: FlatQueue<number>; wait: Uint16Array }) {
          for (let i = 0; i < STEPS; i++) {
            const due = queue.peekValue()!;
            queue.push(queue.pop()!, due + wait[i & 0xffff]!);
          }
          return queue.length;
        },
        operations: STEPS,
      },
      tinyqueue: {
        setup() {
          const wait = delays();
          const items = Array.from({ length: PENDING }, (_, item) => ({ item, due: wait[item & 0xffff]! }));
          return { queue: new TinyQueue(items, (a, b) => a.due - b.due), wait };
        },
        run({ queue, wait }: { queue: TinyQueue<{ item: number; due: number }>; wait: Uint16Array }) {
          for (let i = 0; i < STEPS; i++) {
            const first = queue.pop()!;
            first.due += wait[i & 0xffff]!;
            queue.push(first);
          }
          return queue.length;
        },
        operations: STEPS,
      },
    },
  }),
  defineBench({
    name: 'sim/queue/fill-and-drain',
    about: 'Put 100,000 items due within a day, then take all of them in order; per item.',
    ours: 'minute calendar',
    contenders: {
      'minute calendar': {
        setup: () => ({ wait: delays(), calendar: new MinuteCalendar() }),
        run({ wait, calendar }: { wait: Uint16Array; calendar: MinuteCalendar }) {
          for (let item = 0; item < PENDING; item++) calendar.put(item, wait[item & 0xffff]!);
          let sum = 0;
          for (let minute = calendar.nextMinute(0); minute <= SPAN; minute = calendar.nextMinute(minute + 1)) {
            const count = calendar.take(minute);
            const { taken } = calendar;
            for (let i = 0; i < count; i++) sum += taken[i]!;
          }
          return sum;
        },
        operations: PENDING,
      },
      flatqueue: {
        setup: () => ({ wait: delays(), queue: new FlatQueue<number>() }),
        run({ wait, queue }: { wait: Uint16Array; queue: FlatQueue<number> }) {
          for (let item = 0; item < PENDING; item++) queue.push(item, wait[item & 0xffff]!);
          let sum = 0;
          while (queue.length > 0) sum += queue.pop()!;
          return sum;
        },
        operations: PENDING,
      },
    },
    wanted: [{ against: 'flatqueue', ratioAtLeast: 10 }],
  }),
];
