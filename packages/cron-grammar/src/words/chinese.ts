import { clock12, clock24, type Language, type SentenceParts, sayValues } from './language.js';
import type { Span, Values } from './spans.js';

const WEEKDAYS = '日一二三四五六'.split('');
const NTH = '一二三四五'.split('');
const UNITS = { second: '秒', minute: '分钟', hour: '小时' };

const and = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join('、')}和${items[items.length - 1]}`;
const range = (first: string, last: string): string => `${first}至${last}`;
const steps = (first: string, last: string, step: number): string => `${first}至${last}之间每隔${step}`;
const numbers = (values: Values): string => sayValues(values, String, range, steps, and);

function daySpan(span: Span): string {
  return typeof span === 'number' ? `${span}日` : `${span[0]}日至${span[1]}日`;
}

function weekdayWords(span: Span): string {
  return typeof span === 'number' ? `星期${WEEKDAYS[span]}` : `星期${WEEKDAYS[span[0]]}至星期${WEEKDAYS[span[1]]}`;
}

/** The date comes before the time, the greater unit before the smaller. */
function sentence({ time, date, months, years, monthsFirst }: SentenceParts): string {
  const comma = months !== '' && (monthsFirst || /^(?:离|每月)/.test(date)) ? '，' : '';
  // Beside a named year "every year" says too much.
  const rest = `${months}${comma}${date}`;
  const when = years === '' ? rest : years + rest.replace(/^每年/, '');
  return when === '' ? time : `${when}，${time}`;
}

/** Simplified Chinese. */
export const CHINESE: Language = {
  sentence,
  clock: (hour, minute, second, twelve) =>
    twelve ? `${hour < 12 ? '上午' : '下午'}${clock12(hour, minute, second)}` : clock24(hour, minute, second),
  atTimes: (times) => and(times),
  every: (unit) => `每${UNITS[unit]}`,
  everyN: (step, unit) => `每${step}${UNITS[unit]}`,
  fromTo: (what, ranges) => `${and(ranges.map(([first, last]) => `${first}至${last}`))}${what}`,
  onTheHour: '每小时整点',
  hourlyAt: (minutes) => `每小时的第${numbers(minutes)}分`,
  minutesOfHours: (minutes, hours) => `${numbers(hours)}点的第${numbers(minutes)}分`,
  within: (seconds, minutes, hours) => {
    if (minutes === null && hours === null) return `每分钟${seconds}`;
    const inHours = hours === null ? '每小时的' : `${numbers(hours)}点的`;
    return `${inHours}${minutes === null ? '每分钟' : `第${numbers(minutes)}分`}${seconds}`;
  },
  atSeconds: (seconds) => `第${numbers(seconds)}秒`,
  everyDay: '每天',
  days: (days, ofMonth) => {
    const said =
      days.kind === 'steps' ? `${days.first}日至${days.last}日之间每${days.step}天` : and(days.spans.map(daySpan));
    return `${ofMonth ? '每月' : ''}${said}`;
  },
  dayOfMonth: (day, month) => `每年${month}月${day}日`,
  weekdays: (spans) => `每${and(spans.map(weekdayWords))}`,
  months: (spans) =>
    `每年${and(spans.map((span) => (typeof span === 'number' ? `${span}月` : `${span[0]}月至${span[1]}月`)))}`,
  years: (years) =>
    years.kind === 'steps'
      ? `${years.first}年至${years.last}年之间每${years.step}年`
      : and(years.spans.map((span) => (typeof span === 'number' ? `${span}年` : `${span[0]}年至${span[1]}年`))),
  lastDay: (back) => (back === 0 ? '每月最后一天' : `每月最后一天的前${back}天`),
  lastWorkday: (back) => (back === 0 ? '每月最后一个工作日' : `离每月最后一天的前${back}天最近的工作日`),
  nearestWorkday: (day) => (day === 1 ? '每月第一个工作日' : `离每月${day}日最近的工作日`),
  lastWeekday: (weekday) => `每月最后一个星期${WEEKDAYS[weekday]}`,
  nthWeekday: (weekday, nth) => `每月第${NTH[nth - 1]}个星期${WEEKDAYS[weekday]}`,
  and,
  either: (first, second) => `${first}或${second}`,
  both: (first, second) => `${first}，且仅限${second}`,
  never: '永远不会，因为没有这样的日期',
};
