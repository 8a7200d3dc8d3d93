import { describe, expect, test } from 'vitest';
import {
  CronArgumentError,
  cronEquals,
  describeCron,
  NaturalTextError,
  parseCron,
  parseNatural,
} from '../../src/index.js';

const ODD_DAYS = '1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31';

describe('parseNatural in English', () => {
  test.each([
    ['every minute', '* * * * *'],
    ['every hour', '0 * * * *'],
    ['hourly', '0 * * * *'],
    ['every day', '0 0 * * *'],
    ['daily at noon', '0 12 * * *'],
    ['every month', '0 0 1 * *'],
    ['monthly', '0 0 1 * *'],
    ['every year', '0 0 1 1 *'],
    ['yearly', '0 0 1 1 *'],
    ['every 15 minutes', '0,15,30,45 * * * *'],
    ['every two hours', '0 0,2,4,6,8,10,12,14,16,18,20,22 * * *'],
    ['every twelve hours', '0 0,12 * * *'],
    ['every 60 minutes', '0 * * * *'],
    ['every 24 hours', '0 0 * * *'],
    ['every twelve months on the 15th', '0 0 15 1 *'],
    ['every other day', `0 0 ${ODD_DAYS} * *`],
    ['every second day at 6:30', `30 6 ${ODD_DAYS} * *`],
    ['every 3 months', '0 0 1 1,4,7,10 *'],
    ['every other month on the 15th', '0 0 15 1,3,5,7,9,11 *'],
    ['every weekday at 9', '0 9 * * 1-5'],
    ['At 9, every weekday.', '0 9 * * 1-5'],
    ['EVERY WEEKEND AT 10', '0 10 * * 0,6'],
    ['every Monday', '0 0 * * 1'],
    ['every Monday and Friday at 9:30', '30 9 * * 1,5'],
    ['on Mondays', '0 0 * * 1'],
    ['on Monday and Friday', '0 0 * * 1,5'],
    ['on Monday, Wednesday and Friday at 7', '0 7 * * 1,3,5'],
    ['Monday to Friday at 8', '0 8 * * 1-5'],
    ['from Monday to Friday at 8', '0 8 * * 1-5'],
    ['from Friday to Monday at 8', '0 8 * * 0-1,5-6'],
    ['at 9', '0 9 * * *'],
    ['at 5', '0 5 * * *'],
    ['at 09:30', '30 9 * * *'],
    ['at 9 am', '0 9 * * *'],
    ['at 9am', '0 9 * * *'],
    ['at 5:30 pm', '30 17 * * *'],
    ['at 5:30 p.m.', '30 17 * * *'],
    ['at 12 am', '0 0 * * *'],
    ['at 12 pm', '0 12 * * *'],
    ['at noon', '0 12 * * *'],
    ['at midnight', '0 0 * * *'],
    ['at 9 and 17', '0 9,17 * * *'],
    ['at 9 am and 5 pm', '0 9,17 * * *'],
    ['at 9:00 and 9:30', '0,30 9 * * *'],
    ['every hour between 9 and 17', '0 9-17 * * *'],
    ['every hour between 9 and 17 on weekdays', '0 9-17 * * 1-5'],
    ['every hour between 9 am and 5 pm', '0 9-17 * * *'],
    ['every hour between 22 and 2', '0 0-2,22-23 * * *'],
    ['every 15 minutes on Mondays in July', '0,15,30,45 * * 7 1'],
    ['on the 1st', '0 0 1 * *'],
    ['on the 1st and 15th of the month at 6', '0 6 1,15 * *'],
    ['every month on the 22nd', '0 0 22 * *'],
    ['on 24 December', '0 0 24 12 *'],
    ['December 24 at 18', '0 18 24 12 *'],
    ['on the 24th of December at 18:00', '0 18 24 12 *'],
    ['every year on December 24', '0 0 24 12 *'],
    ['every day in January', '0 0 * 1 *'],
    ['at 9 in January and July', '0 9 * 1,7 *'],
    ['on Mondays in January', '0 0 * 1 1'],
    ['in January', '0 0 * 1 *'],
    ['in January and July', '0 0 * 1,7 *'],
    ['between 9 and 17', '0 9-17 * * *'],
    ['on Mondays between 9 am and 5 pm', '0 9-17 * * 1'],
  ])('%s is %s', (text, cron) => {
    const found = parseNatural(text);
    expect(cronEquals(found.expression, parseCron(cron)), found.text).toBe(true);
    expect(found.text).toBe(cron);
    expect(found.reading).toBe(describeCron(found.expression));
  });

  test.each([
    ['', []],
    ['every fortnight', ['fortnight']],
    ['at 9 on Caturday', ['Caturday']],
    ['every 7 minutes', ['every', '7', 'minutes']],
    ['every 5 hours', ['every', '5', 'hours']],
    ['every 5 months', ['every', '5', 'months']],
    ['every second Monday', ['second', 'Monday']],
    ['every 15 minutes at 9', ['at', '9']],
    ['every 15 minutes between 9 and 17', ['between', '9', 'and', '17']],
    ['at 25', ['25']],
    ['at 13 pm', ['13', 'pm']],
    ['at 9 and 17:30', ['at', '9', 'and', '17:30']],
    ['at 9 and 5 pm', ['9', '5', 'pm']],
    ['on Monday on the 1st', ['on', 'the', '1st']],
    ['every day on Mondays', ['on', 'Mondays']],
    ['on the 32nd', ['32nd']],
    ['on 5', ['5']],
    ['at 9 between 9 and 17', ['between', '9', 'and', '17']],
    ['every day between 9 and 17', ['between', '9', 'and', '17']],
    ['at 9 at 10 every day at 11', ['11']],
    ['every weekday at nine', ['nine']],
    ['*/5 * * * *', ['*/5', '*', '*', '*', '*']],
  ])('%j is refused: %j', (text, words) => {
    const refused = (): unknown => parseNatural(text);
    expect(refused).toThrow(NaturalTextError);
    try {
      refused();
    } catch (error) {
      expect((error as NaturalTextError).details).toEqual({ text, words });
    }
  });
});

describe('parseNatural in German', () => {
  test.each([
    ['jede Minute', '* * * * *'],
    ['stündlich', '0 * * * *'],
    ['täglich', '0 0 * * *'],
    ['jeden Tag um 9', '0 9 * * *'],
    ['monatlich', '0 0 1 * *'],
    ['jedes Jahr', '0 0 1 1 *'],
    ['alle 15 Minuten', '0,15,30,45 * * * *'],
    ['alle zwei Stunden', '0 0,2,4,6,8,10,12,14,16,18,20,22 * * *'],
    ['jeden zweiten Tag um 6:30', `30 6 ${ODD_DAYS} * *`],
    ['werktags um 9 Uhr', '0 9 * * 1-5'],
    ['Um 9 Uhr werktags.', '0 9 * * 1-5'],
    ['am Wochenende um 10 Uhr', '0 10 * * 0,6'],
    ['montags', '0 0 * * 1'],
    ['jeden Montag', '0 0 * * 1'],
    ['jeden Montag und Freitag um 8', '0 8 * * 1,5'],
    ['montags und freitags um 9 Uhr 30', '30 9 * * 1,5'],
    ['von Montag bis Freitag um 9:30', '30 9 * * 1-5'],
    ['Montag bis Freitag um 9:30 Uhr', '30 9 * * 1-5'],
    ['montags bis freitags um 9', '0 9 * * 1-5'],
    ['jeden Werktag um 8', '0 8 * * 1-5'],
    ['jedes Wochenende', '0 0 * * 0,6'],
    ['taeglich um 7', '0 7 * * *'],
    ['alle fuenf Minuten im Maerz', '0,5,10,15,20,25,30,35,40,45,50,55 * * 3 *'],
    ['mitternachts', '0 0 * * *'],
    ['mittags', '0 12 * * *'],
    ['täglich um Mitternacht', '0 0 * * *'],
    ['um 9 und 17 Uhr', '0 9,17 * * *'],
    ['stündlich zwischen 9 und 17 Uhr', '0 9-17 * * *'],
    ['jede Stunde zwischen 9 und 17 Uhr werktags', '0 9-17 * * 1-5'],
    ['am 1.', '0 0 1 * *'],
    ['am 5.', '0 0 5 * *'],
    ['um 5', '0 5 * * *'],
    ['am 1. und 15. des Monats um 6 Uhr', '0 6 1,15 * *'],
    ['am 24. Dezember um 18 Uhr', '0 18 24 12 *'],
    ['jeden Tag im Januar', '0 0 * 1 *'],
    ['montags im Januar und Juli', '0 0 * 1,7 1'],
    ['um 9 Uhr im März', '0 9 * 3 *'],
    ['im Januar', '0 0 * 1 *'],
    ['im Januar und Juli', '0 0 * 1,7 *'],
    ['zwischen 9 und 17 Uhr', '0 9-17 * * *'],
    ['werktags zwischen 9 und 17 Uhr', '0 9-17 * * 1-5'],
  ])('%s ist %s', (text, cron) => {
    const found = parseNatural(text, { locale: 'de' });
    expect(found.text).toBe(cron);
    expect(cronEquals(found.expression, parseCron(cron))).toBe(true);
    expect(found.reading).toBe(describeCron(found.expression, { locale: 'de' }));
  });

  test.each([
    ['alle Jubeljahre', ['Jubeljahre']],
    ['alle 7 Minuten', ['alle', '7', 'Minuten']],
    ['jeden zweiten Montag', ['zweiten', 'Montag']],
    ['am 9. Uhr', ['9', 'Uhr']],
    ['um 24 Uhr', ['24', 'Uhr']],
    ['um 9 zwischen 9 und 17 Uhr', ['zwischen', '9', 'und', '17', 'Uhr']],
    ['every day', ['day']],
  ])('%j wird abgelehnt: %j', (text, words) => {
    try {
      parseNatural(text, { locale: 'de' });
      expect.fail('accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(NaturalTextError);
      expect((error as NaturalTextError).details).toEqual({ text, words });
    }
  });
});

test.each([
  ['every 7 minutes', '"every" "7" "minutes": 7 does not divide the 60 minutes, so the steps would be uneven'],
  ['every 90 minutes', '"every" "90" "minutes": 90 does not divide the 60 minutes, so the steps would be uneven'],
  ['every 20 days', '"every" "20" "days": the days begin again with each month; 15 is the most'],
  [
    'at 9 and 17:30',
    '"at" "9" "and" "17:30": one expression has the same minutes in every hour; write one for each time',
  ],
  ['every 15 minutes between 9 and 17', '"between" "9" "and" "17": goes with "every hour" only'],
  ['every day on Mondays', '"on" "Mondays": does not go with the rest'],
  ['every fortnight', '"fortnight": not understood'],
  ['', 'there are no words'],
])('the message about %j says why: %s', (text, why) => {
  expect(() => parseNatural(text)).toThrow(`Cannot read ${JSON.stringify(text)} as a schedule: ${why}`);
});

test.each([
  ['alle 7 Minuten', '"alle" "7" "Minuten": 7 teilt die 60 Minuten nicht, die Abstände wären ungleich'],
  ['alle 5 Monate', '"alle" "5" "Monate": 5 teilt die 12 Monate nicht, die Abstände wären ungleich'],
  ['alle 20 Tage', '"alle" "20" "Tage": die Tage beginnen mit jedem Monat von vorn; höchstens 15'],
  [
    'um 9 und 17:30',
    '"um" "9" "und" "17:30": ein Ausdruck hat in jeder Stunde dieselben Minuten; für jede Uhrzeit ist einer nötig',
  ],
  ['alle 15 Minuten zwischen 9 und 17', '"zwischen" "9" "und" "17": geht nur mit „jede Stunde“ zusammen'],
  ['jeden Tag montags', '"montags": passt nicht zum Rest'],
  ['alle Jubeljahre', '"Jubeljahre": nicht verstanden'],
  ['', 'es steht nichts da'],
])('German texts get German reasons: %j, %s', (text, why) => {
  expect(() => parseNatural(text, { locale: 'de' })).toThrow(
    `Cannot read ${JSON.stringify(text)} as a schedule: ${why}`,
  );
});

test('the reading is said back', () => {
  expect(parseNatural('every weekday at 9').reading).toBe('At 09:00 from Monday to Friday');
  expect(parseNatural('werktags um 9', { locale: 'de' }).reading).toBe('Um 09:00 Uhr von Montag bis Freitag');
});

test('another locale, and what is no text, are refused', () => {
  expect(() => parseNatural('every day', { locale: 'fr' as never })).toThrow(CronArgumentError);
  expect(() => parseNatural(5 as never)).toThrow(CronArgumentError);
  expect(() => parseNatural(`every day ${'x '.repeat(5_000)}`)).toThrow(NaturalTextError);
});
