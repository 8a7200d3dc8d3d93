/** The words of one language for describing expressions. Lists come sorted and are never empty; weekday 0 is Sunday. */
export interface CronWords {
  list(items: readonly string[], joiner: 'and' | 'or'): string;
  everySecond: string;
  everyMinute: string;
  everySeconds(step: number): string;
  everyMinutes(step: number): string;
  atSeconds(seconds: readonly string[]): string;
  everyHourAt(minutes: readonly string[]): string;
  atMinutesOfHours(minutes: readonly string[], hours: readonly string[]): string;
  atTimes(times: readonly string[]): string;
  fromTo(first: string, last: string): string;
  inHours(hours: readonly string[]): string;
  everyDay: string;
  onDays(days: readonly (number | readonly [number, number])[]): string;
  onWeekdays(weekdays: readonly (number | readonly [number, number])[]): string;
  inMonths(months: readonly (number | readonly [number, number])[]): string;
  inYears(years: readonly string[]): string;
  lastDay(back: number, workday: boolean): string;
  nearestWorkday(day: number): string;
  lastWeekday(weekday: number): string;
  nthWeekday(weekday: number, nth: number): string;
  either(first: string, second: string): string;
  never: string;
}
