import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { countOccurrences, nextOccurrence, parseCron, tryNextOccurrence } from '@horae/cron-grammar';
import { defineBench } from '@horae-tooling/bench';
import { CronExpressionParser } from 'cron-parser';
import { parseCronExpression } from 'cron-schedule';
import { Cron } from 'croner';
import { CronosExpression } from 'cronosjs';
import { EXPRESSIONS } from './typical.js';

const all = (parse: (text: string) => unknown) => ({
  run() {
    let last: unknown;
    for (const text of EXPRESSIONS) last = parse(text);
    return last;
  },
  operations: EXPRESSIONS.length,
});

const require = createRequire(import.meta.url);

/** The time of the first parse and next() in a new process, without the time to load the library. */
function firstCall(library: string, call: string): number {
  const program = `
    import * as library from ${JSON.stringify(pathToFileURL(require.resolve(library)).href)};
    const at = new Date(1718000000000);
    const start = process.hrtime.bigint();
    ${call}
    process.stdout.write(String(process.hrtime.bigint() - start));`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

const fresh = ['UTC', 'Europe/Berlin'].map((zone) =>
  defineBench({
    name: `cron/first-call/${zone}`,
    about: 'Parse and next() once in a fresh process, loading not counted.',
    ours: 'cron-grammar',
    contenders: {
      'cron-grammar': {
        sample: () =>
          firstCall('@horae/cron-grammar', `library.nextOccurrence(library.parseCron('0 9 * * 1-5'), at, '${zone}');`),
      },
      croner: {
        sample: () => firstCall('croner', `new library.Cron('0 9 * * 1-5', { timezone: '${zone}' }).nextRun(at);`),
      },
    },
    wanted: [{ against: 'croner', ratioAtLeast: 1 }],
  }),
);

const never = parseCron('0 0 30 2 *');
const tenYears = [Date.UTC(2020, 0, 1), Date.UTC(2030, 0, 1)] as const;
const everyMinute = parseCron('* * * * *');

export default [
  defineBench({
    name: 'cron/parse',
    about: 'Parsing one of twelve typical expressions to a value that can be asked.',
    ours: 'cron-grammar',
    contenders: {
      'cron-grammar': all((text) => parseCron(text)),
      'cron-schedule': all(parseCronExpression),
      cronosjs: all((text) => CronosExpression.parse(text)),
      croner: all((text) => new Cron(text, { paused: true })),
      'cron-parser': all((text) => CronExpressionParser.parse(text)),
    },
    wanted: [{ against: 'cron-schedule', ratioAtLeast: 15 }],
  }),
  defineBench({
    name: 'cron/impossible',
    about: 'next() of 0 0 30 2 *: throwing the error that explains it, and the form that gives null.',
    ours: 'cron-grammar, thrown',
    contenders: {
      'cron-grammar, thrown': {
        run() {
          try {
            return nextOccurrence(never, 1_718_000_000_000, 'UTC');
          } catch (error) {
            return error;
          }
        },
      },
      'cron-grammar, null': { run: () => tryNextOccurrence(never, 1_718_000_000_000, 'Europe/Berlin') },
      croner: {
        setup: () => new Cron('0 0 30 2 *', { timezone: 'UTC', paused: true }),
        run: (e: Cron) => e.nextRun(new Date(1_718_000_000_000)),
      },
    },
    wanted: [{ atMost: 10_000 }],
  }),
  ...['UTC', 'Europe/Berlin'].map((zone) =>
    defineBench({
      name: `cron/count/${zone}`,
      about:
        'Counting the 5,260,320 occurrences of * * * * * in ten years; peers can only walk them, so they have no line.',
      ours: 'cron-grammar',
      contenders: { 'cron-grammar': { run: () => countOccurrences(everyMinute, tenYears[0], tenYears[1], zone) } },
      wanted: [{ atMost: 1_000_000 }],
    }),
  ),
  ...fresh,
];
