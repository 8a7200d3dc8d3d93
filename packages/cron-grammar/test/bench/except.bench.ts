import {
  type CalendarDefinition,
  type CronExpression,
  type ExceptOptions,
  nextOccurrence,
  parseCalendar,
  parseCron,
} from '@horae/cron-grammar';
import { defineBench } from '@horae-tooling/bench';
import { Cron } from 'croner';
import { EXPRESSIONS, instantWheel } from './typical.js';

const zone = 'Europe/Berlin';
const dates = ['2024-01-01', '2024-05-01', '2024-10-03', '2024-12-25', '2024-12-26'];

/** `next` on the typical expressions, with a calendar or without. */
const ours = (except?: CalendarDefinition) => ({
  setup: () => ({
    list: EXPRESSIONS.map((text) => parseCron(text)),
    at: instantWheel(),
    options: except === undefined ? undefined : { except: [parseCalendar(except)] },
  }),
  run({ list, at, options }: { list: CronExpression[]; at: () => number; options: ExceptOptions | undefined }) {
    let sum = 0;
    for (const e of list)
      sum += options === undefined ? nextOccurrence(e, at(), zone) : nextOccurrence(e, at(), zone, options);
    return sum;
  },
  operations: EXPRESSIONS.length,
});

/** croner has no calendars; its users skip excluded dates by asking again. */
const croner = {
  setup: () => ({ list: EXPRESSIONS.map((text) => new Cron(text, { timezone: zone })), at: instantWheel() }),
  run({ list, at }: { list: Cron[]; at: () => number }) {
    let sum = 0;
    for (const e of list) {
      let found = e.nextRun(new Date(at()));
      while (found !== null && dates.includes(found.toISOString().slice(0, 10))) found = e.nextRun(found);
      sum += found?.getTime() ?? 0;
    }
    return sum;
  },
  operations: EXPRESSIONS.length,
};

export default [
  defineBench({
    name: 'cron/except',
    about:
      'One next() with a handful of excluded dates, with a window as well, and without; croner asks again by hand.',
    ours: 'five dates',
    contenders: {
      'five dates': ours({ dates }),
      'dates and a window': ours({ dates, windows: ['10:00-11:30'] }),
      'no calendar': ours(),
      croner,
    },
    wanted: [{ against: 'no calendar', ratioAtLeast: 0.34 }],
  }),
];
