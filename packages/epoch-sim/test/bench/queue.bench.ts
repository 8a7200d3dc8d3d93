import { seededRandom } from '@horae/clock-store';
import { defineBench } from '@horae-tooling/bench';
import FlatQueue from 'flatqueue';
import TinyQueue from 'tinyqueue';
import { type Links, MinuteCalendar } from '../../src/minute-calendar.js';

const PENDING = 100_000;
const STEPS = 200_000;
const SPAN = 1_440;

/** Minutes after now at which what was taken is put back. */
function delays(): Uint16Array {
  const random = seededRandom('queue');
  return Uint16Array.from({ length: 1 << 16 }, () => 1 + random.below(SPAN));
}

interface CalendarState {
  links: Links;
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
          const links = {
            prev: new Int32Array(PENDING),
            next: new Int32Array(PENDING),
            due: new Float64Array(PENDING),
          };
          const calendar = new MinuteCalendar();
          for (let item = 0; item < PENDING; item++) {
            links.due[item] = wait[item & 0xffff]!;
            calendar.put(links, item);
          }
          return { links, calendar, wait, minute: 0 };
        },
        run(state: CalendarState) {
          const { links, calendar, wait } = state;
          let taken = 0;
          while (taken < STEPS) {
            state.minute = calendar.nextMinute(links, state.minute);
            calendar.turnTo(links, state.minute);
            let item = calendar.take(state.minute);
            while (item >= 0) {
              const next = links.next[item]!;
              links.due[item] = state.minute + wait[taken++ & 0xffff]!;
              calendar.put(links, item);
              item = next;
            }
          }
          return taken;
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
        setup: () => ({
          wait: delays(),
          calendar: new MinuteCalendar(),
          links: { prev: new Int32Array(PENDING), next: new Int32Array(PENDING), due: new Float64Array(PENDING) },
        }),
        run({ wait, calendar, links }: { wait: Uint16Array; calendar: MinuteCalendar; links: Links }) {
          for (let item = 0; item < PENDING; item++) {
            links.due[item] = wait[item & 0xffff]!;
            calendar.put(links, item);
          }
          let sum = 0;
          for (
            let minute = calendar.nextMinute(links, 0);
            minute <= SPAN;
            minute = calendar.nextMinute(links, minute + 1)
          )
            for (let item = calendar.take(minute); item >= 0; item = links.next[item]!) sum += item;
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
