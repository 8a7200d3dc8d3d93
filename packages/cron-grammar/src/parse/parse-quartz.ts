import { searchForward } from '../calendar/local-search.js';
import { monthDays } from '../calendar/month-days.js';
import { firstTimeOf, HALF, lastTimeOf } from '../value/bits.js';
import type { CronExpression, MonthRule } from '../value/cron-expression.js';
import { ALL_DAYS, ALL_WEEKDAYS } from './bit-field.js';
import { type Fault, isForeignSpace, namedCharacter, quoted } from './fault.js';
import { findFields, newBounds } from './field-bounds.js';
import { type FieldSpec, QUARTZ_FIELDS } from './fields.js';
import { type ElementFault, type QuartzElement, readQuartzElement } from './quartz-field.js';

/** The value of a Quartz expression of six or seven fields, or the first fault in it. */
export function readQuartz(text: string): CronExpression | Fault {
  const bounds = newBounds();
  const count = findFields(text, bounds);
  const shape = explainShape(text, count, bounds);
  if (shape !== null) return shape;
  const fields: (readonly QuartzElement[] | null)[] = [];
  for (let index = 0; index < count; index++) {
    const field = readField(text, index, bounds);
    if ('reason' in field) return field;
    fields.push(field.elements);
  }
  const days = fields[3]!;
  const weekdays = fields[5]!;
  if ((days === null) === (weekdays === null)) return questionFault(days === null, bounds);
  return expressionOf(text, fields);
}

function explainShape(text: string, count: number, bounds: Int32Array): Fault | null {
  const whole = (reason: string, start: number, end: number): Fault => ({ field: 'expression', reason, start, end });
  if (count === 0) {
    return whole('is empty; write six or seven fields: second minute hour day month weekday [year]', 0, text.length);
  }
  if (text.charCodeAt(bounds[0]!) === 64) {
    return whole(`must not be a macro (${quoted(text.slice(bounds[0]!, bounds[1]!))})`, bounds[0]!, bounds[1]!);
  }
  if (count === 6 || count === 7) return null;
  const reason = `must have 6 or 7 fields (second minute hour day month weekday [year]), got ${count}`;
  if (count > 7) return whole(reason, bounds[14]!, text.length);
  for (let i = 0; i < text.length; i++) {
    if (isForeignSpace(text.charCodeAt(i))) {
      return whole(`${reason}; ${namedCharacter(text, i)} does not separate fields, only space and tab do`, i, i + 1);
    }
  }
  return whole(reason, text.length, text.length);
}

/** The elements of a field, null for `?`. */
function readField(
  text: string,
  index: number,
  bounds: Int32Array,
): { elements: readonly QuartzElement[] | null } | Fault {
  const spec = QUARTZ_FIELDS[index]!;
  const start = bounds[2 * index]!;
  const end = bounds[2 * index + 1]!;
  const refuse = (found: ElementFault, from: number): Fault => ({
    field: spec.name,
    reason: found.reason,
    start: from + found.at,
    end: from + found.at + found.length,
    fieldStart: start,
    fieldEnd: end,
  });
  if (end - start === 1 && text[start] === '?') {
    if (spec.name === 'day' || spec.name === 'weekday') return { elements: null };
    return refuse({ reason: 'must not be "?"; only day and weekday can be left open', at: 0, length: 1 }, start);
  }
  const elements: QuartzElement[] = [];
  for (let from = start; from <= end; ) {
    const comma = text.indexOf(',', from);
    const to = comma < 0 || comma > end ? end : comma;
    const element = readQuartzElement(text.slice(from, to), spec);
    if ('reason' in element) return refuse(element, from);
    elements.push(element);
    from = to + 1;
  }
  return { elements };
}

function questionFault(both: boolean, bounds: Int32Array): Fault {
  return {
    field: 'weekday',
    reason: both ? 'must not be "?" when day is "?" too' : 'must be "?" when day is not; exactly one of the two is "?"',
    start: bounds[10]!,
    end: bounds[11]!,
    fieldStart: bounds[10]!,
    fieldEnd: bounds[11]!,
  };
}

function expressionOf(text: string, fields: readonly (readonly QuartzElement[] | null)[]): CronExpression {
  const sets = fields.map((elements, index) => valueSet(elements ?? [], QUARTZ_FIELDS[index]!));
  const [seconds, minutes, hours, days, months, weekdays, years] = sets as [
    Words,
    Words,
    Words,
    Words,
    Words,
    Words,
    Words?,
  ];
  const dayMask = days[0]! | (days[1]! << HALF);
  const everyDay = dayMask === ALL_DAYS || weekdays[0] === ALL_WEEKDAYS;
  const everyYear =
    years === undefined ||
    fields[6]!.some((element) => element.kind === 'values' && element.star && element.step === 1);
  const value: CronExpression = {
    dialect: 'quartz',
    text,
    secondsLow: seconds[0]!,
    secondsHigh: seconds[1]!,
    minutesLow: minutes[0]!,
    minutesHigh: minutes[1]!,
    hours: hours[0]!,
    days: everyDay || fields[3] === null ? ALL_DAYS : dayMask,
    months: months[0]!,
    weekdays: everyDay || fields[5] === null ? ALL_WEEKDAYS : weekdays[0]!,
    // Beside a rule the mask may be empty: then the rule alone decides.
    dayRestricted: !everyDay && fields[3] !== null,
    weekdayRestricted: !everyDay && fields[5] !== null,
    monthRule: everyDay ? null : ruleOf(fields[3] ?? [], fields[5] ?? []),
    years: everyYear ? null : Object.freeze(years),
    firstTime: firstTimeOf(hours[0]!, minutes[0]!, minutes[1]!, seconds[0]!, seconds[1]!),
    lastTime: lastTimeOf(hours[0]!, minutes[0]!, minutes[1]!, seconds[0]!, seconds[1]!),
    plain: false,
    fires: true,
  };
  const plain = value.secondsLow === 1 && value.secondsHigh === 0 && value.monthRule === null && value.years === null;
  return Object.freeze({ ...value, plain, fires: canFire(value) });
}

/** A set as bit masks of 30 members each. */
type Words = number[];

/** The plain values of a field, bit 0 the lowest; a range whose start is above its end wraps around. */
function valueSet(elements: readonly QuartzElement[], spec: FieldSpec): Words {
  const size = spec.max - spec.min + 1;
  const words: Words = new Array(Math.ceil(size / HALF)).fill(0);
  for (const element of elements) {
    if (element.kind !== 'values') continue;
    const last = element.to < element.from ? element.to + size : element.to;
    for (let value = element.from; value <= last; value += element.step) {
      const index = (value - spec.min) % size;
      words[(index / HALF) | 0]! |= 1 << (index % HALF);
    }
  }
  return words;
}

function ruleOf(days: readonly QuartzElement[], weekdays: readonly QuartzElement[]): MonthRule | null {
  const special = [...days, ...weekdays].filter((element) => element.kind !== 'values');
  if (special.length === 0) return null;
  let [fromEnd, workdayFromEnd, workday, lastWeekdays] = [0, 0, 0, 0];
  const nthWeekdays = [0, 0, 0, 0, 0];
  for (const element of special) {
    if (element.kind === 'from-end' && !element.workday) fromEnd |= 1 << element.back;
    else if (element.kind === 'from-end') workdayFromEnd |= 1 << element.back;
    else if (element.kind === 'workday') workday |= 1 << (element.day - 1);
    else if (element.kind === 'last-weekday') lastWeekdays |= 1 << (element.weekday - 1);
    else nthWeekdays[element.nth - 1]! |= 1 << (element.weekday - 1);
  }
  return Object.freeze({
    kind: 'quartz',
    fromEnd,
    workdayFromEnd,
    workday,
    lastWeekdays,
    nthWeekdays: Object.freeze(nthWeekdays),
  });
}

/** Whether some date satisfies the value. Without a year field every month comes with every first weekday sooner or later. */
function canFire(e: CronExpression): boolean {
  if (e.years !== null) return searchForward(e, { day: 0, second: 0 });
  for (let month = 0; month < 12; month++) {
    if (((e.months >>> month) & 1) === 0) continue;
    const longest = month === 1 ? 29 : 30 + ((0b1010_1101_0101 >>> month) & 1);
    for (let firstWeekday = 0; firstWeekday < 7; firstWeekday++) {
      if (monthDays(e, firstWeekday, longest) !== 0) return true;
    }
  }
  return false;
}
