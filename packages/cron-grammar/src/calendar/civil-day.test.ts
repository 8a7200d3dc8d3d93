import { expect, test } from 'vitest';
import { isLeapYear, monthAndDay, monthLength, monthOfDay, monthStart, weekdayOf } from './civil-day.js';

const DAY = 86_400_000;

test('days, months and weekdays are those of Date, over 6,000 years', () => {
  for (let day = -1_100_000; day < 1_100_000; day += 13) {
    const date = new Date(day * DAY);
    const packed = monthAndDay(day);
    const month = packed >> 5;
    const right =
      month === date.getUTCFullYear() * 12 + date.getUTCMonth() &&
      (packed & 31) + 1 === date.getUTCDate() &&
      monthOfDay(day) === month &&
      monthStart(month) === day - (packed & 31) &&
      weekdayOf(day) === date.getUTCDay() &&
      monthLength(month) === monthStart(month + 1) - monthStart(month);
    // An assertion for each of 170,000 days would take longer than the calendar.
    if (!right) expect.fail(`day ${day} is wrong`);
  }
});

test('the ends of Date and the turn of year 0 hold', () => {
  for (const day of [-100_000_000, 100_000_000, -719_528, -719_529, 0, -1]) {
    const date = new Date(day * DAY);
    expect(monthOfDay(day)).toBe(date.getUTCFullYear() * 12 + date.getUTCMonth());
    expect(monthAndDay(day)).toBe((date.getUTCFullYear() * 12 + date.getUTCMonth()) * 32 + date.getUTCDate() - 1);
  }
});

test.each([
  { year: 2000, leap: true },
  { year: 1900, leap: false },
  { year: 2024, leap: true },
  { year: 2023, leap: false },
  { year: 0, leap: true },
  { year: -100, leap: false },
])('year $year is a leap year: $leap', ({ year, leap }) => {
  expect(isLeapYear(year)).toBe(leap);
});
