import { type CronExpression, nextOccurrence, parseCron, previousOccurrence } from '@horae/cron-grammar';
import { defineBench } from '@horae-tooling/bench';
import { CronExpressionParser } from 'cron-parser';
import { parseCronExpression } from 'cron-schedule';
import { Cron } from 'croner';
import { CronosExpression } from 'cronosjs';
import { DateTime } from 'luxon';
import { EXPRESSIONS, instantWheel, ZONES } from './typical.js';

const ours = (zone: string, find: typeof nextOccurrence | typeof previousOccurrence, asDate: boolean) => ({
  setup: () => ({ list: EXPRESSIONS.map((text) => parseCron(text)), at: instantWheel() }),
  run({ list, at }: { list: CronExpression[]; at: () => number }) {
    let sum = 0;
    for (const e of list) sum += asDate ? find(e, new Date(at()), zone).getTime() : find(e, at(), zone);
    return sum;
  },
  operations: EXPRESSIONS.length,
});

/** A contender that is asked with a `Date` and answers with one. */
const peer = <Prepared>(
  prepare: (text: string) => Prepared,
  ask: (prepared: Prepared, at: Date) => Date | null | undefined,
) => ({
  setup: () => ({ list: EXPRESSIONS.map(prepare), at: instantWheel() }),
  run({ list, at }: { list: Prepared[]; at: () => number }) {
    let sum = 0;
    for (const prepared of list) sum += ask(prepared, new Date(at()))?.getTime() ?? 0;
    return sum;
  },
  operations: EXPRESSIONS.length,
});

/** cron-schedule knows the host's zone only, so the host is moved to the zone while it runs. */
const scheduled = (zone: string, previous: boolean) => {
  const before = process.env.TZ;
  const contender = peer(parseCronExpression, (e, at) => (previous ? e.getPrevDate(at) : e.getNextDate(at)));
  return {
    ...contender,
    setup() {
      process.env.TZ = zone;
      return contender.setup();
    },
    teardown() {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    },
  };
};

const next = ZONES.map((zone) =>
  defineBench({
    name: `cron/next/${zone}`,
    about:
      'One next() on a parsed expression, mean of twelve typical ones at 64 instants of a year; peers take and give a Date.',
    ours: 'numbers',
    contenders: {
      numbers: ours(zone, nextOccurrence, false),
      Date: ours(zone, nextOccurrence, true),
      'cron-schedule (host zone)': scheduled(zone, false),
      cronosjs: peer(
        (text) => CronosExpression.parse(text, { timezone: zone }),
        (e, at) => e.nextDate(at),
      ),
      croner: peer(
        (text) => new Cron(text, { timezone: zone, paused: true }),
        (e, at) => e.nextRun(at),
      ),
      'cron-parser': peer(
        (text) => CronExpressionParser.parse(text, { tz: zone }),
        (e, at) => {
          e.reset(at);
          return e.next().toDate();
        },
      ),
      'luxon (one date step, no cron)': peer(
        () => zone,
        (name, at) => DateTime.fromJSDate(at, { zone: name }).plus({ days: 1 }).startOf('day').toJSDate(),
      ),
    },
    wanted: [
      { against: 'cron-schedule (host zone)', ratioAtLeast: 20 },
      { against: 'cronosjs', ratioAtLeast: 500 },
    ],
  }),
);

const dates = ZONES.map((zone) =>
  defineBench({
    name: `cron/next-date/${zone}`,
    about: 'The same with a Date in and a Date out on both sides.',
    ours: 'Date',
    contenders: {
      Date: ours(zone, nextOccurrence, true),
      'cron-schedule (host zone)': scheduled(zone, false),
      cronosjs: peer(
        (text) => CronosExpression.parse(text, { timezone: zone }),
        (e, at) => e.nextDate(at),
      ),
    },
    wanted: [
      { against: 'cron-schedule (host zone)', ratioAtLeast: 4 },
      { against: 'cronosjs', ratioAtLeast: 150 },
    ],
  }),
);

const previous = ZONES.map((zone) =>
  defineBench({
    name: `cron/previous/${zone}`,
    about: 'One previous() on a parsed expression, mean of twelve; cronosjs has none.',
    ours: 'numbers',
    contenders: {
      numbers: ours(zone, previousOccurrence, false),
      'cron-schedule (host zone)': scheduled(zone, true),
      croner: peer(
        (text) => new Cron(text, { timezone: zone, paused: true }),
        (e, at) => e.previousRuns(1, at)[0],
      ),
      'cron-parser': peer(
        (text) => CronExpressionParser.parse(text, { tz: zone }),
        (e, at) => {
          e.reset(at);
          return e.prev().toDate();
        },
      ),
    },
    wanted: [{ against: 'cron-schedule (host zone)', ratioAtLeast: 10 }],
  }),
);

export default [...next, ...dates, ...previous];
