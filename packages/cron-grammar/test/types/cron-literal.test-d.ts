import type { DateTime } from 'luxon';
import { expectTypeOf, test } from 'vitest';
import {
  type CronExpression,
  type CronLiteral,
  cron,
  firstCollision,
  nextOccurrence,
  occurrences,
  overlap,
  parseCron,
  previousOccurrence,
  tryNextOccurrence,
} from '../../src/index.js';

test('a right literal is itself', () => {
  expectTypeOf<CronLiteral<'0 9 * * 1-5'>>().toEqualTypeOf<'0 9 * * 1-5'>();
  expectTypeOf<CronLiteral<' 00,07,3-5\t 9  1-31 * 0 '>>().toEqualTypeOf<' 00,07,3-5\t 9  1-31 * 0 '>();
  expectTypeOf<CronLiteral<'0-59 0-23 1-31 1-12 0-6'>>().toEqualTypeOf<'0-59 0-23 1-31 1-12 0-6'>();
  expectTypeOf<CronLiteral<'0 0 30 2 *'>>().toEqualTypeOf<'0 0 30 2 *'>();
});

test('a wrong literal is a sentence that names the field', () => {
  expectTypeOf<CronLiteral<'60 * * * *'>>().toEqualTypeOf<'minute field: 60 is out of range 0-59'>();
  expectTypeOf<CronLiteral<'0 24 * * *'>>().toEqualTypeOf<'hour field: 24 is out of range 0-23'>();
  expectTypeOf<CronLiteral<'0 0 0 * *'>>().toEqualTypeOf<'day field: 0 is out of range 1-31'>();
  expectTypeOf<CronLiteral<'0 0 * 13 *'>>().toEqualTypeOf<'month field: 13 is out of range 1-12'>();
  expectTypeOf<CronLiteral<'0 0 * * 7'>>().toEqualTypeOf<'weekday field: 7 is out of range 0-6 (Sunday is 0)'>();
  expectTypeOf<CronLiteral<'0 0 * * mon'>>().toEqualTypeOf<'weekday field: "mon" is not a number'>();
  expectTypeOf<
    CronLiteral<'*/5 * * * *'>
  >().toEqualTypeOf<'minute field: steps such as "*/5" are not POSIX; list the values'>();
  expectTypeOf<
    CronLiteral<'0 22-2 * * *'>
  >().toEqualTypeOf<'hour field: the range "22-2" wraps around; it must go from low to high'>();
  expectTypeOf<CronLiteral<'1,,2 * * * *'>>().toEqualTypeOf<'minute field: a list element is empty'>();
  expectTypeOf<CronLiteral<'*,5 * * * *'>>().toEqualTypeOf<'minute field: "*" is not a number'>();
  expectTypeOf<CronLiteral<'0 0 * *'>>().toEqualTypeOf<'Invalid cron expression: it has 4 fields instead of 5'>();
  expectTypeOf<CronLiteral<'@daily'>>().toEqualTypeOf<'Invalid cron expression: macros such as @daily are not POSIX'>();
  expectTypeOf<
    CronLiteral<''>
  >().toEqualTypeOf<'Invalid cron expression: it is empty; write minute hour day month weekday'>();
});

test('cron() takes right literals and any string, and refuses wrong literals', () => {
  expectTypeOf(cron('0 9 * * 1-5')).toEqualTypeOf<CronExpression>();
  expectTypeOf(cron`0 9 * * 1-5`).toEqualTypeOf<CronExpression>();
  const fromOutside: string = '0 0 * * *';
  expectTypeOf(cron(fromOutside)).toEqualTypeOf<CronExpression>();
  const wrong = () => {
    // @ts-expect-error the minute field is out of range
    cron('60 * * * *');
    // @ts-expect-error steps are not POSIX
    cron('0 */2 * * *');
    // @ts-expect-error names are not POSIX
    cron('0 0 * * mon');
    // @ts-expect-error there are four fields
    cron('0 0 * *');
    // @ts-expect-error the range wraps around
    cron('0 0 * * 5-1');
    // @ts-expect-error a macro is not POSIX
    cron('@daily');
  };
  expectTypeOf(wrong).toBeFunction();
});

test('a right crontab literal is itself, a wrong one a sentence that names the field', () => {
  type Vixie<S extends string> = CronLiteral<S, 'vixie'>;
  expectTypeOf<Vixie<'*/5 * * * *'>>().toEqualTypeOf<'*/5 * * * *'>();
  expectTypeOf<Vixie<'1-30/2 5/15 *,1 Jan-MAR mon,fri-sun'>>().toEqualTypeOf<'1-30/2 5/15 *,1 Jan-MAR mon,fri-sun'>();
  expectTypeOf<Vixie<'0 0 * * 0-7'>>().toEqualTypeOf<'0 0 * * 0-7'>();
  expectTypeOf<Vixie<' @daily '>>().toEqualTypeOf<' @daily '>();
  expectTypeOf<Vixie<'*/0 * * * *'>>().toEqualTypeOf<'minute field: "0" is not a step of 1 or more'>();
  expectTypeOf<Vixie<'*/5/5 * * * *'>>().toEqualTypeOf<'minute field: "5/5" is not a step of 1 or more'>();
  expectTypeOf<Vixie<'*5 * * * *'>>().toEqualTypeOf<'minute field: "*5" is not a number'>();
  expectTypeOf<Vixie<'0 24 * * *'>>().toEqualTypeOf<'hour field: 24 is out of range 0-23'>();
  expectTypeOf<Vixie<'0 0 * * 8'>>().toEqualTypeOf<'weekday field: 8 is out of range 0-7'>();
  expectTypeOf<Vixie<'0 0 * mon *'>>().toEqualTypeOf<'month field: "mon" is not a number'>();
  expectTypeOf<
    Vixie<'0 0 * * sat-mon'>
  >().toEqualTypeOf<'weekday field: the range "sat-mon" wraps around; it must go from low to high'>();
  expectTypeOf<Vixie<'@reboot'>>().toEqualTypeOf<'Invalid cron expression: @reboot names no time'>();
  expectTypeOf<Vixie<'@daily *'>>().toEqualTypeOf<'Invalid cron expression: the macro @daily stands alone'>();
  expectTypeOf<Vixie<'@often'>>().toEqualTypeOf<'Invalid cron expression: @often is no macro'>();
  expectTypeOf<Vixie<string>>().toEqualTypeOf<string>();
});

test('cron() with a dialect checks the literal of that dialect', () => {
  expectTypeOf(cron('*/5 * * * *', { dialect: 'vixie' })).toEqualTypeOf<CronExpression>();
  expectTypeOf(cron('0 9 * * 1-5', { dialect: 'posix' })).toEqualTypeOf<CronExpression>();
  const fromOutside: string = '*/5 * * * *';
  expectTypeOf(cron(fromOutside, { dialect: 'vixie' })).toEqualTypeOf<CronExpression>();
  const wrong = () => {
    // @ts-expect-error a step of 0
    cron('*/0 * * * *', { dialect: 'vixie' });
    // @ts-expect-error there are six fields
    cron('0 0 * * * *', { dialect: 'vixie' });
    // @ts-expect-error steps are not POSIX
    cron('*/5 * * * *', { dialect: 'posix' });
  };
  expectTypeOf(wrong).toBeFunction();
});

test('a Date in gives a Date out, everything else a number', () => {
  const e = parseCron('0 0 * * *');
  const moment = null as unknown as DateTime;
  expectTypeOf(nextOccurrence(e, new Date(0))).toEqualTypeOf<Date>();
  expectTypeOf(nextOccurrence(e, 0)).toEqualTypeOf<number>();
  expectTypeOf<typeof nextOccurrence>().toBeCallableWith(e, moment, 'UTC');
  expectTypeOf(previousOccurrence(e, new Date(0))).toEqualTypeOf<Date>();
  expectTypeOf(previousOccurrence(e, { toMillis: () => 0 })).toEqualTypeOf<number>();
  expectTypeOf(tryNextOccurrence(e, new Date(0))).toEqualTypeOf<Date | null>();
  expectTypeOf(occurrences(e, { from: new Date(0) })).toEqualTypeOf<Generator<Date, void, undefined>>();
  expectTypeOf(occurrences(e, { from: 0 })).toEqualTypeOf<Generator<number, void, undefined>>();
  expectTypeOf(overlap(e, e, { from: new Date(0), to: 1 }).first).toEqualTypeOf<Date | null>();
  expectTypeOf(firstCollision(e, e, 0)).toEqualTypeOf<number | null>();
  expectTypeOf(nextOccurrence(e, 0 as number | Date)).toEqualTypeOf<number | Date>();
});
