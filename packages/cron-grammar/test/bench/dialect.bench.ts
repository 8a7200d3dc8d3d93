import { type CronDialect, type CronExpression, nextOccurrence, parseCron } from '@horae/cron-grammar';
import { defineBench } from '@horae-tooling/bench';
import { CronExpressionParser } from 'cron-parser';
import { parseCronExpression } from 'cron-schedule';
import { Cron } from 'croner';
import { CronosExpression } from 'cronosjs';
import { instantWheel } from './typical.js';

const zone = 'Europe/Berlin';

/** What people write into crontabs, each with the POSIX text that means the same. */
const CRONTABS: readonly (readonly [vixie: string, posix: string])[] = [
  ['*/5 * * * *', '0,5,10,15,20,25,30,35,40,45,50,55 * * * *'],
  ['*/15 9-17 * * mon-fri', '0,15,30,45 9-17 * * 1-5'],
  ['0 */2 * * *', '0 0,2,4,6,8,10,12,14,16,18,20,22 * * *'],
  ['30 6 * * MON-FRI', '30 6 * * 1-5'],
  ['0 22 * * 7', '0 22 * * 0'],
  ['0 0 1 jan,jul *', '0 0 1 1,7 *'],
  ['10-50/20 * * * *', '10,30,50 * * * *'],
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
];
const VIXIE = CRONTABS.map(([vixie]) => vixie);
const POSIX = CRONTABS.map(([, posix]) => posix);

/** Quartz texts that libraries with seconds read as well when `?` is `*`; the weekdays have names, because they count from 1 there. */
const QUARTZ = [
  '0 */5 * * * ?',
  '0 0 9 ? * MON-FRI',
  '30 */15 8-18 ? * MON-FRI',
  '0 0 0 1 * ?',
  '*/10 * * * * ?',
  '0 30 6 1,15 * ?',
];
/** What Quartz alone says, and croner in its own letters. */
const QUARTZ_DAYS = ['0 0 12 L * ?', '0 0 9 ? * 2#1', '0 0 9 ? * 6L', '0 0 9 15W * ?', '0 0 9 LW * ?', '0 0 9 L-3 * ?'];

const parses = (texts: readonly string[], parse: (text: string) => unknown) => ({
  run() {
    let last: unknown;
    for (const text of texts) last = parse(text);
    return last;
  },
  operations: texts.length,
});

const nexts = <Prepared>(
  texts: readonly string[],
  prepare: (text: string) => Prepared,
  ask: (prepared: Prepared, at: number) => number,
) => ({
  setup: () => ({ list: texts.map(prepare), at: instantWheel() }),
  run({ list, at }: { list: Prepared[]; at: () => number }) {
    let sum = 0;
    for (const prepared of list) sum += ask(prepared, at());
    return sum;
  },
  operations: texts.length,
});

const ours = (texts: readonly string[], dialect: CronDialect) =>
  nexts(
    texts,
    (text) => parseCron(text, { dialect }),
    (e: CronExpression, at) => nextOccurrence(e, at, zone),
  );
const cronosjs = (texts: readonly string[]) =>
  nexts(
    texts,
    (text) => CronosExpression.parse(text, { timezone: zone }),
    (e, at) => e.nextDate(new Date(at))!.getTime(),
  );
const croner = (texts: readonly string[]) =>
  nexts(
    texts,
    (text) => new Cron(text, { timezone: zone, paused: true }),
    (e, at) => e.nextRun(new Date(at))!.getTime(),
  );
const cronParser = (texts: readonly string[]) =>
  nexts(
    texts,
    (text) => CronExpressionParser.parse(text, { tz: zone }),
    (e, at) => {
      e.reset(new Date(at));
      return e.next().toDate().getTime();
    },
  );

export default [
  defineBench({
    name: 'cron/dialect/parse',
    about: 'Parsing one of twelve texts of crontabs (*/5, mon-fri, @daily …), and the POSIX texts that mean the same.',
    ours: 'vixie',
    contenders: {
      vixie: parses(VIXIE, (text) => parseCron(text, { dialect: 'vixie' })),
      posix: parses(POSIX, (text) => parseCron(text)),
      'cron-schedule': parses(VIXIE, parseCronExpression),
      cronosjs: parses(VIXIE, (text) => CronosExpression.parse(text)),
      croner: parses(VIXIE, (text) => new Cron(text, { paused: true })),
      'cron-parser': parses(VIXIE, (text) => CronExpressionParser.parse(text)),
    },
    wanted: [
      { against: 'posix', ratioAtLeast: 0.95 },
      { against: 'cron-schedule', ratioAtLeast: 15 },
    ],
  }),
  defineBench({
    name: 'cron/dialect/next',
    about: 'One next() on the same texts, parsed: a value of a crontab is searched as one of POSIX.',
    ours: 'vixie',
    contenders: {
      vixie: ours(VIXIE, 'vixie'),
      posix: ours(POSIX, 'posix'),
      cronosjs: cronosjs(VIXIE),
      croner: croner(VIXIE),
      'cron-parser': cronParser(VIXIE),
    },
    wanted: [
      { against: 'posix', ratioAtLeast: 0.95 },
      { against: 'cronosjs', ratioAtLeast: 150 },
    ],
  }),
  defineBench({
    name: 'cron/dialect/quartz-parse',
    about: 'Parsing one of six Quartz texts that other libraries take too, and of six that they do not (L, W, #).',
    ours: 'quartz',
    contenders: {
      quartz: parses(QUARTZ, (text) => parseCron(text, { dialect: 'quartz' })),
      'quartz, L W #': parses(QUARTZ_DAYS, (text) => parseCron(text, { dialect: 'quartz' })),
      cronosjs: parses(QUARTZ, (text) => CronosExpression.parse(text)),
      croner: parses(QUARTZ, (text) => new Cron(text, { paused: true })),
      'cron-parser': parses(QUARTZ, (text) => CronExpressionParser.parse(text)),
    },
    wanted: [{ against: 'cronosjs', ratioAtLeast: 3 }],
  }),
  defineBench({
    name: 'cron/dialect/quartz-next',
    about: 'One next() on the same Quartz texts, parsed.',
    ours: 'quartz',
    contenders: {
      quartz: ours(QUARTZ, 'quartz'),
      'quartz, L W #': ours(QUARTZ_DAYS, 'quartz'),
      cronosjs: cronosjs(QUARTZ),
      croner: croner(QUARTZ),
      'cron-parser': cronParser(QUARTZ),
    },
    wanted: [{ against: 'cronosjs', ratioAtLeast: 50 }],
  }),
];
